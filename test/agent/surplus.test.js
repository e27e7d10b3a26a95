/** Connections on their way to a primary that stops in the middle of them. */
import t from 'tap';
import { EventEmitter } from 'node:events';
import { freshAgent } from '../support/fresh-agent.js';
import { until } from '../support/until.js';

/** As many as are sent before one is confirmed, and some that wait. */
const CONNECTIONS = 20;

t.test('the first one was confirmed, and the others are late all at once', async (t) => {
  // Where no channel is, the agent finds its handle under this name.
  const channel = { '': { bytesRead: 0 }, connected: true, send: () => {}, _handleQueue: null };
  const before = Object.getOwnPropertyDescriptors(process);
  for (const [name, value] of Object.entries(channel)) {
    Object.defineProperty(process, name, { value, configurable: true, writable: true });
    t.teardown(() => {
      if (before[name]) Object.defineProperty(process, name, before[name]);
      else delete process[name];
    });
  }
  const { Surplus } = freshAgent('leases.cjs');
  const surplus = new Surplus(new EventEmitter(), () => {});
  const address = { open: () => 0, hasRoom: false };
  let served = 0;
  for (let count = 0; count < CONNECTIONS; count++) {
    surplus.add({ key: 'a', address, client: { close() {} }, keep: () => served++ });
  }
  process.emit('internalMessage', { cmd: 'NODE_NODECLUSTER', type: 'confirmed', latest: 1 });
  // This process is late too.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  await until(() => served === CONNECTIONS - 1, 'all but one to be served here');
  t.equal(surplus.count, 0);
});
