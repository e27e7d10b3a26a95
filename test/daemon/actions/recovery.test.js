import t from 'tap';
import { EventEmitter, once } from 'node:events';
import { reconcile, supervise } from '../../../src/daemon/actions/recovery.js';

t.test(
  'a stop that could not reach a silent primary is finished when that has exited',
  async (t) => {
    const link = Object.assign(new EventEmitter(), {
      state: 'none',
      snapshot: null,
      shutdown: async () => void link.emit('stopped'),
    });
    const queue = { run: (_name, work) => work() };
    const app = { name: 'web', stopped: true, deleted: false, link, queue, spec: {} };
    supervise({ isEnding: false, features: { sync() {} }, events: { publish() {} } }, app);
    const stopped = once(link, 'stopped');
    link.emit('lost');
    await t.resolves(stopped);
  },
);

t.test('features know what a recovery has changed, also if it failed', async (t) => {
  const link = Object.assign(new EventEmitter(), {
    state: 'connected',
    snapshot: { generation: 2, busy: null, slots: [{ slot: 0, status: 'online' }], spec: {} },
    succession: { isPending: false },
    whenIdle: async () => {},
  });
  const spec = { cronRestart: null };
  const app = {
    name: 'web',
    link,
    spec,
    generation: 1,
    slots: [0],
    hasBeenReady: true,
    withOwnCount: (next) => next,
    rollout: { spec: { cronRestart: '@daily' }, generation: 2 },
    queue: { run: (_name, work) => work() },
  };
  const table = {
    save: async () => {
      throw new Error('the disk is full');
    },
  };
  /** @type {string[]} */
  const synced = [];
  const failed = new Promise((resolve) => link.once('failed', resolve));
  const log = { error: (event) => link.emit('failed', synced.push(event)) };
  const features = { sync: (one) => synced.push(one.spec.cronRestart), addedMs: () => 0 };
  supervise({ isEnding: false, table, log, features, events: {} }, app);
  link.emit('found');
  await failed;
  t.same(synced, ['@daily', 'recovery.failed']);
});

t.test('workers that have outlived the primary of a stopped app are stopped', async (t) => {
  const stopped = [];
  const link = { state: 'none', shutdown: async (options) => void stopped.push(options) };
  const spec = { killSignal: 'SIGINT', killTimeoutMs: 1000, drainTimeoutMs: 1000 };
  await reconcile({ isEnding: false }, { name: 'web', stopped: true, link, spec });
  t.match(stopped, [{ killSignal: 'SIGINT', timeoutMs: Number }]);
});
