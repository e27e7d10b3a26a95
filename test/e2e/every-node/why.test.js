/** `why` and `profile`: where a blocked worker is, and a whole file, without a trace in the worker afterwards. */
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { homePaths } from '../../../src/shared/home.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { listeningPortsOf } from '../../support/processes.js';
import { until } from '../../support/until.js';

const { root, home, ok, run } = testHome(t);

async function started(name, options, env = {}) {
  const port = await freePort();
  const start = ['start', app('spins-three-deep.cjs'), '--name', name, ...options];
  await ok(start, { env: { PORT: String(port), ...env } });
  const file = join(root, `free-${name}`);
  return {
    why: async (selector = name) => {
      const { code, stdout } = await run(['why', selector, '--json']);
      return { code, workers: JSON.parse(stdout).apps[0].workers };
    },
    block: (how) => ask(port, `/${how}?${file}`),
    free: () => writeFileSync(file, ''),
    answers: () => ask(port),
    log: () => readFileSync(homePaths(home).logFile(name, 'error'), 'utf8'),
    /** @returns ports of the worker that the program did not open */
    inspectorPorts: (pid) => listeningPortsOf(pid).filter((each) => each !== port),
  };
}

function functionsOf({ frames }) {
  return frames.filter(({ origin }) => origin === 'program').map(({ name }) => name);
}

for (const mode of ['cluster', 'fork']) {
  t.test(`in ${mode} mode`, async (t) => {
    const workers = mode === 'cluster' ? ['-i', '2'] : ['--exec-mode', 'fork'];
    const home = await started(mode, workers);
    const { pid, execArgv } = await home.block('spin');
    t.same(execArgv, [], 'the program sees nothing of it');
    const first = await home.why();
    t.equal(first.code, 0);
    const blocked = first.workers.find((worker) => worker.pid === pid);
    t.equal(blocked.state, 'blocked');
    t.same(functionsOf(blocked).slice(0, 3), ['inner', 'middle', 'outer']);
    const { file, line } = blocked.frames.find(({ name }) => name === 'inner');
    t.match({ file, line }, { file: app('spins-three-deep.cjs'), line: 12 });
    t.match(blocked.frames.at(-1).file, /^node:/);
    const others = first.workers.filter((worker) => worker !== blocked);
    t.ok(others.every(({ state, frames }) => state === 'running' && frames.length === 0));
    await until(
      () => home.inspectorPorts(pid).length === 0,
      'its port to be closed, while it is blocked',
    );

    t.same(functionsOf((await home.why(`${mode}:0`)).workers[0]).length > 0, blocked.slot === 0);
    home.free();
    await until(async () => (await home.answers()).pid === pid, 'it to answer again');
    await until(() => home.inspectorPorts(pid).length === 0, 'what Node has opened to be closed');
    const after = await home.why();
    t.ok(after.workers.every(({ state }) => state === 'running'));
    t.same(home.inspectorPorts(pid), []);
    t.match(home.log(), 'a line of the program');
    t.notMatch(home.log(), /[Dd]ebugger|For help/, 'its log has no line of the inspector');
  });
}

t.test('a worker in a native call, stopped, or with a handler of its own', async (t) => {
  const home = await started('native', []);
  const { pid } = await home.block('native');
  const [native] = (await home.why()).workers;
  t.equal(native.state, 'native');
  t.match(native.note, /^waits in a native call, .* while its child process \d+ \(\/bin\/sh -c /);
  home.free();
  await home.answers();
  await until(() => home.inspectorPorts(pid).length === 0, 'what the signal opened to be closed');
  t.match((await home.why()).workers, [{ state: 'running', pid }]);
  t.notMatch(home.log(), /[Dd]ebugger|For help/);

  process.kill(pid, 'SIGSTOP');
  const stopped = await home.why().finally(() => process.kill(pid, 'SIGCONT'));
  t.match(stopped, { code: 0, workers: [{ state: 'stopped', frames: [] }] });
});

t.test('a program that handles SIGUSR1 never gets it', async (t) => {
  const home = await started('handles', [], { OWN_HANDLER: '1' });
  const { pid } = await home.block('spin');
  const refused = await home.why();
  t.equal(refused.code, 0);
  t.match(refused.workers, [{ state: 'unknown', pid, note: /^handles SIGUSR1 itself/ }]);
  home.free();
  await home.answers();
  t.notMatch(home.log(), 'handled by the program');
});

t.test('of a program that is not Node it says what is known', async (t) => {
  await ok(['start', app('worker.sh'), '--name', 'sh'], {});
  t.match(await run(['why', 'sh']), { code: 0, stdout: /^sh: no problem in its first minute\n$/ });
});

async function profiled(t, options) {
  const home = testHome(t);
  const port = await home.startApi(options, { program: 'spins-three-deep.cjs' });
  const files = () => readdirSync(home.root).filter((name) => /profile|snapshot/.test(name));
  return { ...home, port, files };
}

function functionsIn(file) {
  const profile = JSON.parse(readFileSync(file, 'utf8'));
  const { nodes, samples, timeDeltas, startTime, endTime } = profile;
  if (samples.length !== timeDeltas.length || endTime <= startTime) throw new Error('not valid');
  return nodes.map(({ callFrame }) => callFrame.functionName);
}

t.test('of the CPU', async (t) => {
  const { ok, run, begin, root, port, files, home } = await profiled(t, []);
  const first = JSON.parse((await ok(['profile', 'api', '--cpu', '300ms', '--json'])).stdout);
  t.match(first, { app: 'api', slot: 0, generation: 1, pid: Number });
  t.match(first.file, /\/api-0-g1-\d{8}-\d{6}\.cpuprofile$/);
  const { mode, size } = statSync(first.file);
  t.equal(mode & 0o777, 0o600);
  t.equal(first.bytes, size);
  t.ok(functionsIn(first.file).includes('(root)'));

  const refused = await run(['profile', 'api:0', '--cpu', '1s', '--output', first.file]);
  t.equal(refused.code, 6);
  t.match(refused.stderr, /already exists and was not changed/);
  t.equal(statSync(first.file).size, size);

  // Until Ctrl-C.
  const long = begin(['profile', 'api:0', '--cpu', '1h', '--output', 'long.cpuprofile']);
  await long.said(/^Recording api:0/m);
  long.child.kill('SIGINT');
  const ended = await long.ended;
  t.equal(ended.code, 0, ended.stderr);
  t.ok(functionsIn(join(root, 'long.cpuprofile')).includes('(root)'));

  // Of a worker that is blocked.
  const file = join(root, 'free');
  const { pid } = await ask(port, `/spin?${file}`);
  t.match(await run(['profile', 'api:0', '--cpu', '500ms']), {
    code: 5,
    stderr: /it is blocked, so it cannot be profiled\.\n.*`nodecluster why api:0` shows where/,
  });
  writeFileSync(file, '');
  t.equal((await ask(port)).pid, pid);

  // The worker is killed in the middle.
  const lost = begin(['profile', 'api:0', '--cpu', '1h', '--output', 'lost.cpuprofile']);
  await lost.said(/^Recording api:0/m);
  process.kill(pid, 'SIGKILL');
  const { code, stderr } = await lost.ended;
  t.equal(code, 5);
  t.match(
    stderr,
    /^error: The profile of api:0 is not complete, so no file was written: the worker has exited/m,
  );
  t.notOk(files().includes('lost.cpuprofile'));
  const log = readFileSync(homePaths(home).logFile('api', 'error'), 'utf8');
  t.notMatch(log, /[Dd]ebugger|For help/);
});

t.test('of the heap, while the other worker takes the requests; wrong orders', async (t) => {
  const { ok, run, port, files, list, pidsOf } = await profiled(t, ['-i', '2']);
  const [, second] = await pidsOf('api');
  await until(async () => (await ask(port, '/heap')).pid === second, 'it to keep objects');
  const load = startLoad(t, { port, clients: 5, anyAnswer: true });
  await load.answers(20);
  const { stderr, stdout } = await ok(['profile', 'api:1', '--heap']);
  t.match(stderr, 'Writing the heap of api:1, which replies to nothing until that is done');
  const [name] = files();
  t.match(stdout, name);
  t.match(name, /^api-1-g1-\d{8}-\d{6}\.heapsnapshot$/);
  await load.answers(20);
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
  const { apps } = await list();
  t.ok(apps[0].workers.every(({ status, restarts }) => status === 'online' && restarts === 0));
  const snapshot = JSON.parse(readFileSync(stdout.split('  ')[0], 'utf8'));
  const { node_count: count, meta } = snapshot.snapshot;
  t.ok(count > 100_000);
  t.equal(snapshot.nodes.length, count * meta.node_fields.length);

  t.match(await run(['profile', 'api', '--cpu', '1s']), {
    code: 2,
    stderr: /profile takes one worker, not 2\.[^]*profile api:0 --cpu 10s/,
  });
  t.match(await run(['profile', 'api:0']), {
    code: 2,
    stderr: /profile needs --cpu <duration> or --heap/,
  });
  t.match(await run(['profile', 'api:0', '--cpu', 'x']), { code: 2, stderr: /such as 10s/ });
});
