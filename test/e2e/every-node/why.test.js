/** `why`: where a blocked worker is, without a trace in the worker afterwards. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { homePaths } from '../../../src/shared/home.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
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
  t.equal(refused.code, 5);
  t.match(refused.workers, [{ state: 'unknown', pid, note: /^handles SIGUSR1 itself/ }]);
  home.free();
  await home.answers();
  t.notMatch(home.log(), 'handled by the program');
});

t.test('a program that is not Node is refused', async (t) => {
  await ok(['start', app('worker.sh'), '--name', 'sh'], {});
  const { code, stdout } = await run(['why', 'sh']);
  t.equal(code, 5);
  t.match(stdout, /^sh:0 runs \S+, which is not Node$/m);
});
