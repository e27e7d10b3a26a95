/** What is not a server in cluster mode: fork mode, a job, a canary that is taken back, and `run`. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeFiles } from '../support/files.js';
import { NOTHING, testRun } from '../support/foreground/run.js';
import { app, testHome } from '../support/home.js';
import { ask } from '../support/http-ask.js';
import { startLoad } from '../support/http-load.js';
import { freePort } from '../support/ports.js';
import { until } from '../support/until.js';

const FAST = ['--min-uptime', '100ms'];

t.test('fork mode and a job', async (t) => {
  const { root, ok, run, pidsOf } = testHome(t, { inProcess: true });
  const port = await freePort();
  const fork = ['start', app('http-pid.cjs'), '--name', 'solo', '--exec-mode', 'fork', ...FAST];
  const started = await ok(fork, { env: { PORT: String(port) } });
  t.match(started.stderr, /✔ solo: 1 worker online/);
  const [first] = await pidsOf('solo');
  t.match(await ask(port), { pid: first });
  await ok(['reload', 'solo']);
  t.not((await ask(port)).pid, first);

  writeFiles(root, { 'jobs.json': JSON.stringify([jobOf(root)]), task: '{"ms": 0, "code": 0}' });
  await ok(['start', 'jobs.json']);
  t.match(await run(['run-now', 'report']), { code: 0 });
  writeFiles(root, { task: '{"ms": 0, "code": 3}' });
  t.match(await run(['run-now', 'report']), { code: 5, stderr: /it has failed/ });
  t.match((await ok(['ls'])).stdout, /report .*waiting .*last failed/);
});

function jobOf(root) {
  const env = { RUNS: path.join(root, 'runs'), TASK: path.join(root, 'task') };
  return { name: 'report', script: app('job.cjs'), schedule: '0 0 1 1 *', env };
}

t.test('a canary that answers 500 is taken back', async (t) => {
  const { root, ok, run, pidsOf } = testHome(t, { inProcess: true });
  const script = path.join(root, 'server.cjs');
  const release = (setting) =>
    writeFileSync(script, `${setting}; require(${JSON.stringify(app('fails-sometimes.cjs'))});`);
  release('');
  const env = { PORT: String(await freePort()) };
  await ok(['start', script, '--name', 'web', '-i', '2', ...FAST], { env });
  const before = await pidsOf('web');
  const load = startLoad(t, { port: Number(env.PORT), clients: 4, keepAlive: false });
  release('process.env.FAILS = 0.5');
  const judged = await run(['reload', 'web', '--canary', '1', '--for', '30s']);
  t.match(judged, { code: 5, stderr: /taken back/ });
  t.same(await pidsOf('web'), before);
  const { codes } = await load.stop();
  t.same(Object.keys(codes), ['HTTP_500'], 'nothing but the errors of the canary was lost');
});

t.test('run, in the foreground', async (t) => {
  const { begin, left } = testRun(t);
  const port = await freePort();
  const { child, said, ended } = begin([app('http-pid.cjs')], { env: { PORT: String(port) } });
  await said(/online on http:\/\/localhost/);
  t.match(await ask(port), { pid: Number });
  child.kill('SIGTERM');
  t.match(await ended, { code: 0 });
  await until(() => left().processes.length === 0, 'everything to exit');
  t.same(left(), NOTHING);
});
