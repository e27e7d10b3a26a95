/** What a worker hands over reaches another one, whatever becomes of the first. */
import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import t from 'tap';
import { handedTo } from '../../../src/primary/sockets/leases.js';
import { FairSharing } from '../../../src/primary/sockets/fair-sharing.js';
import { AGENT_CMD, channelTo } from '../../../src/primary/worker/channel.js';
import { app } from '../../support/home.js';
import { plainEnv } from '../../support/spawn-clean.js';
import { rawConnection } from '../../support/traffic/raw-connection.js';
import { within } from '../../support/until.js';

t.test('a confirmation does not wait behind a connection for the same worker', async (t) => {
  const child = fork(app('holds-timer.cjs'), { env: { ...plainEnv(), PORT: '0' }, execArgv: [] });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  child.kill('SIGSTOP');
  let given = () => {};
  const isGiven = new Promise((resolve) => (given = resolve));
  const queues = {
    admission: { onChange: new Set(), serversAt: () => [] },
    open: () => ({ isIdle: true, give: given, close: () => {} }),
  };
  const sharing = new FairSharing(queues, {
    holdTimeoutMs: () => 1000,
    isTakingTurns: () => false,
  });
  sharing.join(child);
  sharing.listens(child, 'key');
  handedTo(child).send('key', await rawConnection(), { onEnd: () => {}, onOverdue: null });
  const client = await rawConnection();
  const message = { key: 'key', seq: 1, leaseMs: Infinity, open: 1, waiting: 0 };
  channelTo(child).onConnection(message, client);
  t.equal(await within(isGiven, 'the connection to be given to another worker'), client);
  t.ok(sharing.isIdle);
  client.close();
});

t.test('what a worker reports with a heartbeat counts', async (t) => {
  const [worker, next] = [0, 1].map(() => Object.assign(new EventEmitter(), { connected: false }));
  const servers = [worker, next].map((each, slot) => ({ worker: each, slot, key: 'key' }));
  const queues = {
    admission: { onChange: new Set(), serversAt: () => servers },
    open: () => ({ isIdle: true, close: () => {} }),
  };
  const rules = { holdTimeoutMs: () => 1000, isTakingTurns: () => false };
  const sharing = new FairSharing(queues, rules);
  sharing.join(worker);
  sharing.listens(worker, 'key');
  worker.emit('internalMessage', { cmd: AGENT_CMD, type: 'beat', connections: { key: 30 } });
  t.equal(sharing.listens(next, 'key'), 17, 'the limit is half of them, and some slack');
});
