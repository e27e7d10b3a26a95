/** Actions of the daemon on an app: start, scale and recovery. */
import t from 'tap';
import { EventEmitter, once } from 'node:events';
import { reconcile, supervise } from '../../src/daemon/actions/recovery.js';
import { scaledTo } from '../../src/daemon/actions/scale.js';
import { startApp } from '../../src/daemon/actions/start.js';

t.test('a step of a command after `kill` asks the next daemon for no start', async (t) => {
  const daemon = { isEnding: true, table: { change: () => t.fail('it is saved as running') } };
  const starts = startApp(daemon, { slots: [0] }, { slots: null }, () => {});
  await t.rejects(starts, { code: 'E_DAEMON_ENDING' });
});

const scaled = (instances, present, settings = { instances: present }) => {
  const slots = Array.from({ length: present }, (_, slot) => slot);
  const { spec, count } = scaledTo({ spec: { name: 'api', ...settings }, slots }, instances);
  return { count, instances: spec.instances };
};

t.test('scale takes absolute and relative counts', async (t) => {
  t.same(scaled('4', 2), { count: 4, instances: 4 });
  t.same(scaled('+2', 2), { count: 4, instances: 4 });
  t.same(scaled('-1', 2), { count: 1, instances: 1 });
  t.match(scaled('max', 2), { count: Number, instances: 0 });
  t.throws(() => scaled('-1', 1), { message: /has only 1 worker/ });
  t.throws(() => scaled('-2', 2), { message: /has only 2 workers/ });
  for (const wrong of ['0', '-2', 'x', '', '1.5']) {
    t.throws(() => scaled(wrong, 2), { code: 'E_SCALE_COUNT' }, wrong);
  }
});

t.test('an app that scales itself keeps its range', async (t) => {
  const range = { min: 2, max: 6, elu: 0.8, cooldownMs: 1000 };
  const own = { instances: range };
  t.same(scaled('4', 3, own), { count: 4, instances: range });
  t.same(scaled('+2', 3, own), { count: 5, instances: range });
  t.same(scaled('max', 3, own), { count: 6, instances: range });
  for (const outside of ['7', '1', '+9']) {
    t.throws(() => scaled(outside, 3, own), { code: 'E_SCALE_RANGE' }, outside);
  }
});

t.test('a stop that a silent primary did not get is finished when it exits', async (t) => {
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
});

t.test('features know what a recovery has changed, also if it failed', async (t) => {
  const link = Object.assign(new EventEmitter(), {
    state: 'connected',
    snapshot: { generation: 2, busy: null, slots: [{ slot: 0, status: 'online' }], spec: {} },
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
