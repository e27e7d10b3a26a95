import t from 'tap';
import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import { chooseInspectPort, makeLaunch, nodeArgsOf } from '../../../src/primary/pool/launch.js';
import { WorkerHandle } from '../../../src/primary/worker/handle.js';
import { WorkerProcess, stdinOf } from '../../../src/primary/worker/process.js';
import { ReadinessWatch } from '../../../src/primary/worker/readiness.js';
import { replaceFs } from '../../support/replaced-fs.js';
import { specWith } from '../../support/spec.js';

/** A watch of a worker that is to say 'ready' in time; what it decides is emitted. */
function watchOf(listenTimeoutMs) {
  const startedMs = performance.now();
  const spec = { waitReady: true, minUptimeMs: 0, listenTimeoutMs, hangTimeoutMs: null };
  const worker = {
    launch: { spec },
    expected: 'none',
    replaces: false,
    listening: Object.assign(new Map(), { addresses: [], below: [] }),
    fault: null,
    parts: { firstCheck: () => null },
    get uptimeMs() {
      return performance.now() - startedMs;
    },
    emit() {},
    becomeOnline: () => verdicts.emit('verdict', 'online'),
    end: ({ reason }) => verdicts.emit('verdict', reason),
  };
  const verdicts = new EventEmitter();
  const watch = new ReadinessWatch(worker);
  watch.look();
  return { watch, verdicts };
}

t.test('after a standstill of the primary the deadline is extended', async (t) => {
  const { watch, verdicts } = watchOf(500);
  const verdict = once(verdicts, 'verdict');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000); // as SIGSTOP would
  // Timers come before what has been said meanwhile.
  setTimeout(() => setImmediate(() => watch.saidReady()), 1);
  t.same(await verdict, ['online']);
});

t.test('without a standstill it is not', async (t) => {
  const { verdicts } = watchOf(500);
  t.same(await once(verdicts, 'verdict'), [{ kind: 'late', what: 'ready', afterMs: 500 }]);
});

// How a worker is stopped while /proc does not answer, as on a file system that hangs.

const isLinux = process.platform === 'linux';

t.test('the signal comes before SIGKILL', { skip: !isLinux && 'no /proc' }, async (t) => {
  replaceFs(t, 'readdir', () => () => new Promise(() => {}), fs.promises);
  const signals = [];
  const child = new EventEmitter();
  child.pid = process.pid;
  child.kill = (signal) => {
    signals.push(signal);
    child.emit(signal);
  };
  // Less time than the list of the processes below it may take.
  const spec = { execMode: 'fork', killTimeoutMs: 400, killSignal: 'SIGTERM', treekill: true };
  new WorkerProcess(child, { launch: { spec } }).stop();
  await once(child, 'SIGKILL');
  t.strictSame(signals, ['SIGTERM', 'SIGKILL']);
});

t.test('what the settings add to the command line of Node', async (t) => {
  const root = t.testdir({ 'mapped.js': '', 'mapped.js.map': '', 'plain.js': '' });
  const nodeArgs = ['--expose-gc'];
  const own = ['--require', '/agent', '--inspect-publish-uid=stderr', '--inspect-port=0'];
  const rows = [
    ['plain.js', null, {}, []],
    ['plain.js', true, {}, ['--enable-source-maps']],
    ['mapped.js', null, {}, ['--enable-source-maps']],
    ['mapped.js', null, { NODE_OPTIONS: '--no-enable-source-maps' }, []],
    ['mapped.js', false, {}, []],
  ];
  for (const [file, sourceMaps, env, added] of rows) {
    const script = `${root}/${file}`;
    const args = nodeArgsOf({ script, nodeArgs, sourceMaps }, env, '/agent');
    t.same(args, [...own, ...added, '--expose-gc'], `${file} ${sourceMaps}`);
  }
});

t.test('who sets the options of the inspector decides where it listens', async (t) => {
  const program = { script: '/app.js', sourceMaps: false };
  for (const option of ['--inspect', '--inspect-port=9300', '--inspect=0', '--debug-port=1234']) {
    const byArgs = nodeArgsOf({ nodeArgs: [option], ...program }, {}, '/agent');
    t.same(byArgs, ['--require', '/agent', option]);
    const env = { NODE_OPTIONS: `--no-warnings ${option}` };
    t.same(nodeArgsOf({ nodeArgs: [], ...program }, env, '/agent'), ['--require', '/agent']);
  }
});

t.test('the port of the inspector in slot 1', async (t) => {
  for (const [args, port] of [
    ['--inspect', 9230],
    ['--inspect=9300', 9301],
    ['--inspect-brk=0.0.0.0:9300', 9301],
    ['--inspect --inspect-port=9400', 9401],
    ['--inspect=0', undefined],
    ['--inspect-publish-uid=http --max-old-space-size=300', undefined],
    ['', undefined],
  ]) {
    t.equal(chooseInspectPort(new Set(), args.split(' '), 1, 4), port, args);
  }
});

t.test('a replacement has another port while the old worker runs', async (t) => {
  const portWith = (...taken) => chooseInspectPort(new Set(taken), ['--inspect=9300'], 0, 2);
  t.equal(portWith(9301), 9300);
  t.equal(portWith(9300, 9301), 9302);
  t.equal(portWith(9301, 9302), 9300);
});

const STDIN_OF_RUN = 7;

for (const [execMode, instances, byItself, inRun, more] of [
  ['cluster', 1, 'pipe', STDIN_OF_RUN],
  ['cluster', 2, 'ignore', 'ignore'],
  ['cluster', { min: 1, max: 4 }, 'ignore', 'ignore'],
  ['fork', 1, 'pipe', STDIN_OF_RUN],
  ['fork', 2, 'pipe', 'pipe'],
  ['fork', 1, 'ignore', 'ignore', { onDemand: true }],
]) {
  const spec = { onDemand: false, execMode, instances, ...more };
  t.equal(stdinOf(spec, undefined), byItself, `the stdin of ${JSON.stringify(spec)}`);
  t.equal(stdinOf(spec, STDIN_OF_RUN), inRun, `${JSON.stringify(spec)} in run`);
}

t.test('with the permission model the agent may be read', async (t) => {
  const program = { script: '/app.js', sourceMaps: false };
  const agent = '/own/src/agent/main.cjs';
  const hasAllowed = (nodeArgs, options) =>
    nodeArgsOf({ nodeArgs, ...program }, { NODE_OPTIONS: options }, agent)[2] ===
    '--allow-fs-read=/own/src';
  for (const option of ['--permission', '--experimental-permission', '--permission-audit']) {
    t.ok(hasAllowed(['--no-warnings', option, '--allow-fs-read=/srv'], ''), option);
    t.ok(hasAllowed([], `--allow-fs-read=/srv ${option}`), `NODE_OPTIONS: ${option}`);
  }
  // Without it, Node refuses to start with what it allows.
  t.notOk(hasAllowed(['--no-permission', '--no-experimental-permission'], '--title=--permissions'));
});

// spawn returns a child without a pid, and reports the error later.
t.test('a worker that could not be forked is never online', async (t) => {
  const child = Object.assign(new EventEmitter(), { connected: false });
  const spec = specWith({ execMode: 'fork', minUptimeMs: 0 });
  const launch = { ...makeLaunch(spec, 1), listens: false };
  const services = {
    launcher: () => child,
    strays: { newMark: () => '', end: async () => ({ left: [] }) },
    logs: { flushed: async () => {} },
    partsOf: () => ({ trouble: () => null, firstCheck: () => null, variables: null }),
  };
  const order = { key: 1, slot: 0, launch, after: null, expected: 'none' };
  const worker = new WorkerHandle(order, services);
  worker.start();
  t.equal(worker.status, 'starting');
  const exited = once(worker, 'exit');
  child.emit('error', Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' }));
  t.match(await exited, [{ code: null, reason: { kind: 'start', error: 'EMFILE' } }]);
  t.equal(worker.onlineAtMs, null);
});
