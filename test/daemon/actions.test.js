import t from 'tap';
import { EventEmitter, once } from 'node:events';
import { findPrimaries } from '../../src/daemon/actions/adopt.js';
import { reconcile, supervise } from '../../src/daemon/actions/recovery.js';
import { scaledTo } from '../../src/daemon/actions/scale.js';
import { startApp } from '../../src/daemon/actions/start.js';
import { stopApp } from '../../src/daemon/actions/stop.js';
import { updateApps } from '../../src/daemon/actions/replace-primary.js';
import { renameApp } from '../../src/daemon/actions/rename.js';
import { CommandQueue } from '../../src/daemon/apps/command-queue.js';
import { runInTurn } from '../../src/daemon/control/run-command.js';
import { specWith } from '../support/spec.js';

const ONE_SLOT = { slots: [0], desiredSlots: [0], stoppedSlots: [] };
const desired = { ...ONE_SLOT, spec: specWith({}), rollout: null, changes: [] };
const UNCHANGED = { queue: {}, desireStop() {}, toDesired: () => desired };

t.test('a step of a command after `kill` asks the next daemon for no start', async (t) => {
  const daemon = { isEnding: true, table: { change: () => t.fail('it is saved as running') } };
  const starts = startApp(daemon, { slots: [0] }, { slots: null }, () => {});
  await t.rejects(starts, { code: 'E_DAEMON_ENDING' });
});

t.test('an update says of each app what became of it', async (t) => {
  const snapshot = { slots: [{ status: 'online', listening: [] }] };
  const link = { state: 'connected', record: {}, snapshot };
  const appOf = (name) => ({
    ...{ ...ONE_SLOT, name, link, spec: {}, ids: { 0: 0 }, changes: [], isDown: false },
    queue: new CommandQueue({ name }),
  });
  const busy = appOf('busy');
  for (let turn = 0; turn < 100; turn += 1) void busy.queue.run('stop', async () => {});
  const all = [busy, appOf('api'), appOf('web')];
  const table = { all: () => all, primaries: { all: () => [{}] } };
  const check = () => {
    throw new Error('broken');
  };
  const ignore = () => {};
  const daemon = {
    ...{ table, features: { ask: () => [], check }, paths: {}, onOutcome: ignore },
    ...{ events: { publish: ignore }, log: { info: ignore, error: ignore } },
  };
  const { apps } = await updateApps(daemon, {}, { notify: ignore });
  t.match(apps, [
    { name: 'busy', ok: false, failed: [{ reason: { code: 'E_APP_BUSY' } }] },
    { name: 'api', ok: false, failed: [{ reason: { code: 'E_INTERNAL' } }] },
    { name: 'web', ok: false, failed: [{ reason: { code: 'E_UPDATE_ENDED' } }] },
  ]);
});

/** An app, and the names and arguments with which it is renamed. */
function renaming() {
  const spec = specWith({ name: 'api', outFile: '/dev/null', errorFile: '/dev/null' });
  const link = { state: 'none', snapshot: null, shutdown: async () => null, launch() {} };
  const app = {
    ...{ ...ONE_SLOT, spec, link, ids: { 0: 0 }, changes: [], rollout: null },
    ...{ queue: new CommandQueue({ name: 'api' }), toFill: () => [] },
    get name() {
      return app.spec.name;
    },
  };
  const renamed = [];
  const ignore = () => {};
  const rename = async (_app, { name, args }) => {
    renamed.push([name, args]);
    app.spec = { ...app.spec, name };
  };
  const daemon = {
    ...{ isEnding: false, onOutcome: ignore, events: { publish: ignore } },
    ...{ features: { ask: () => [] }, log: { info: ignore, error: ignore } },
    paths: { app: () => ({ dir: '/none' }), logFile: () => '/none' },
    table: { all: () => [app], get: () => app, refuseName: ignore, rename },
  };
  const ask = () => renameApp(daemon, { app: 'api', name: 'web' }, { notify: ignore });
  return { app, daemon, renamed, ask };
}

t.test('a command behind a rename is not for the app under its new name', async (t) => {
  const { app, daemon, ask } = renaming();
  const run = async () => t.fail('it would give back the old name');
  const [, outcome] = await Promise.all([
    ask(),
    runInTurn(daemon, app, { action: 'restart', run }),
  ]);
  const text = /^api was renamed to web while this command waited for its turn/;
  t.match(outcome, { ok: false, failed: [{ reason: { code: 'E_APP_DELETED', text } }] });
});

t.test('a rename keeps what a command before it has changed', async (t) => {
  const { app, renamed, ask } = renaming();
  const change = app.queue.run('reload', async () => {
    app.spec = { ...app.spec, args: ['new'] };
  });
  t.match(await ask(), { apps: [{ name: 'web', ok: true }] });
  await change;
  t.same(renamed, [['web', ['new']]]);
});

t.test('`kill` during a rename leaves nothing to start', async (t) => {
  const { app, daemon, renamed, ask } = renaming();
  app.link.shutdown = async () => void (daemon.isEnding = true);
  t.match(await ask(), {
    apps: [{ ok: false, failed: [{ reason: { code: 'E_DAEMON_ENDING' } }] }],
  });
  t.same(renamed, []);
});

const scaled = (instances, present, settings = { instances: present }) => {
  const app = { spec: { name: 'api', ...settings }, count: present };
  const { spec, count } = scaledTo(app, instances);
  return { count, instances: spec.instances };
};

t.test('scale takes absolute and relative counts', async (t) => {
  t.same(scaled('4', 2), { count: 4, instances: 4 });
  t.same(scaled('+2', 2), { count: 4, instances: 4 });
  t.same(scaled('-1', 2), { count: 1, instances: 1 });
  t.match(scaled('max', 2), { count: Number, instances: 0 });
  for (const wrong of ['0', '-2', '-3', 'x', '', '1.5']) {
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

t.test('features know what a recovery has changed, also if it failed', async (t) => {
  const link = {
    state: 'connected',
    snapshot: { generation: 2, busy: null, slots: [{ slot: 0, status: 'online' }], spec: {} },
    whenIdle: async () => {},
  };
  const spec = { cronRestart: null };
  const app = Object.assign(new EventEmitter(), {
    name: 'web',
    link,
    spec,
    generation: 1,
    slots: [0],
    hasBeenReady: true,
    withOwnCount: (next) => next,
    rollout: { spec: { cronRestart: '@daily' }, generation: 2 },
    queue: { run: (_name, work) => work() },
  });
  const table = { save: () => Promise.reject(new Error('the disk is full')) };
  const synced = [];
  const failed = new Promise((resolve) => app.once('failed', resolve));
  const log = { error: (event) => app.emit('failed', synced.push(event)) };
  const features = { ask: (_hook, one) => synced.push(one.spec.cronRestart) };
  supervise({ isEnding: false, table, log, features, events: {} }, app);
  app.emit('found');
  await failed;
  t.same(synced, ['@daily', 'recovery.failed']);
});

t.test('an app is not ready again before its workers are asked to stop', async (t) => {
  const seen = [];
  const see = (what) => async () => void seen.push([what, app.isLeaving]);
  const app = {
    ...{ ...ONE_SLOT, ...UNCHANGED, isDown: false, isLeaving: false },
    spec: { shutdownDelayMs: 5, drainTimeoutMs: 0, killTimeoutMs: 0 },
    link: { state: 'connected', snapshot: { slots: [{ status: 'online' }] } },
    request: see('stop'),
  };
  app.link.shutdown = see('shutdown');
  await stopApp({ table: { saveOrRetry: async () => null } }, app, { slots: null });
  t.strictSame(seen, [['shutdown', true]]);
  t.equal(app.isLeaving, false);
});

t.test('a stop counts only the workers that ran', async (t) => {
  const link = { state: 'connected', shutdown: async () => ({ ok: true, done: [0, 1] }) };
  const app = { slots: [0, 1], stoppedSlots: [0], desiredSlots: [1], ...UNCHANGED };
  const table = { saveOrRetry: async () => null };
  for (const slots of [[1], null]) {
    const outcome = await stopApp({ table }, { ...app, link, spec: {} }, { slots });
    t.match(outcome, { ok: true, done: [1] }, JSON.stringify(slots));
  }
});

t.test('a stop that a silent primary did not get is finished when it exits', async (t) => {
  const app = Object.assign(new EventEmitter(), {
    name: 'web',
    stopped: true,
    deleted: false,
    link: { state: 'none', snapshot: null, shutdown: async () => void app.emit('stopped') },
    queue: { run: (_name, work) => work() },
    spec: {},
  });
  supervise({ isEnding: false, features: { ask() {} }, events: { publish() {} } }, app);
  const stopped = once(app, 'stopped');
  app.emit('lost');
  await t.resolves(stopped);
});

t.test('workers that have outlived the primary of a stopped app are stopped', async (t) => {
  const stopped = [];
  const link = { state: 'none', shutdown: async (options) => void stopped.push(options) };
  const spec = { killSignal: 'SIGINT', killTimeoutMs: 1000, drainTimeoutMs: 1000 };
  await reconcile({ isEnding: false }, { name: 'web', stopped: true, link, spec });
  t.match(stopped, [{ killSignal: 'SIGINT', timeoutMs: Number }]);
});

t.test('one that may have an app of which could not be saved where it is', async (t) => {
  const adopted = [];
  const link = { id: null, state: 'none', adopt: ({ id }) => adopted.push(id) };
  const app = { name: 'web', link, second: { id: 2 } };
  const primary = { record: { apps: { web: [] } } };
  const primaries = {
    all: () => [
      { ...primary, id: 1, state: 'connected', size: 1 },
      { ...primary, id: 2, state: 'unknown' },
      { ...primary, id: 3, state: 'unknown', record: { apps: {} } },
      { ...primary, id: 4, state: 'unknown' },
    ],
    find: async () => {},
  };
  await findPrimaries({ table: { primaries, all: () => [app], notes: [] } });
  t.strictSame(adopted, [4], 'it is frozen, and the app is not on its way there');
});
