/** How many connections a worker may have, in messages that come in another order than they were sent. */
import t from 'tap';
import { EventEmitter } from 'node:events';
import { freshAgent } from '../support/fresh-agent.js';

t.test('a message with limits that waited in the primary does not undo a later one', async (t) => {
  /** @type {string[]} */
  const sent = [];
  const send = (/** @type {{type: string}} */ { type }) => sent.push(type);
  const channel = { connected: true, send, _handleQueue: null };
  for (const [name, value] of Object.entries(channel))
    t.intercept(process, name, { value, writable: true });
  const { FairShare } = freshAgent('fair-share.cjs');
  const onListening = new Set();
  new FairShare(new EventEmitter(), { onListening });
  let accepted = 0;
  const handle = { onconnection: () => accepted++, close() {}, listen() {} };
  const granted = { cmd: 'NODE_CLUSTER', ack: 1, key: 'a', connectionLimit: 3 };
  process.emit('internalMessage', granted, handle);
  for (const watch of onListening) watch({ _handle: handle, _connections: 1 });
  const connects = () => handle.onconnection(0, { close() {} });
  connects();
  t.same([accepted, sent.splice(0)], [1, ['connections']], 'it has room');
  const receive = (/** @type {string} */ type, /** @type {object} */ data) =>
    process.emit('internalMessage', { cmd: 'NODE_NODECLUSTER', type, ...data });
  receive('confirmed', { limits: { a: 0 }, limitsNumber: 2 });
  receive('connection-limits', { limits: { a: 2 }, limitsNumber: 1 });
  connects();
  t.same([accepted, sent], [1, ['surplus']], 'it hands over all');
});
