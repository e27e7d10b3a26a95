/** Fork mode, a job, a canary that is taken back, and `run`; each process is killed, programs crash, a release does not start. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { writeFiles } from '../support/files.js';
import { NOTHING, testRun } from '../support/foreground/run.js';
import { app, testHome } from '../support/home.js';
import { ask } from '../support/http-ask.js';
import { startLoad } from '../support/http-load.js';
import { freePort } from '../support/ports.js';
import { until } from '../support/until.js';

const FAST = ['--min-uptime', '100ms', '--exp-backoff-restart-delay', '20ms'];

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

/** What a killed process takes with it. */
const IN_FLIGHT = /^(ECONNRESET|ECONNREFUSED|EPIPE|HTTP_CLOSED)$/;

t.test('a worker, the primary and the daemon are killed', async (t) => {
  const { ok, appNamed, pidsOf, killDaemon, killPrimary } = testHome(t, { inProcess: true });
  const env = { PORT: String(await freePort()) };
  await ok(['start', app('http-pid.cjs'), '--name', 'web', '-i', '3', ...FAST], { env });
  await ok(['stop', 'web:2']);
  const load = startLoad(t, { port: Number(env.PORT), clients: 2, keepAlive: false });
  const isWhole = async () => {
    const states = (await appNamed('web')).workers.map(({ status }) => status);
    return String(states) === 'online,online,stopped';
  };

  const [lost, sibling] = (await pidsOf('web')).filter(Boolean);
  process.kill(lost, 'SIGKILL');
  await until(async () => !(await pidsOf('web')).includes(lost) && isWhole(), 'another worker');
  t.ok((await pidsOf('web')).includes(sibling));

  const killed = await killPrimary('web');
  await until(async () => (await appNamed('web')).primaryPid !== killed && isWhole(), 'another');
  const served = await pidsOf('web');
  await load.answers(5);

  await killDaemon();
  await load.answers(5);
  t.same(await pidsOf('web'), served, 'which finds the same workers');
  const { failed, failures, made } = await load.stop();
  t.ok(failed <= 4, `${failed} of ${made} were in flight: ${JSON.stringify(failures)}`);
  t.ok(failures.every(({ code }) => IN_FLIGHT.test(code)));
});

t.test('a crash loop ends, and a release that throws replaces nothing', async (t) => {
  const { root, run, ok, appNamed, pidsOf } = testHome(t, { inProcess: true });
  const looping = await run(['start', app('throws-at-load.cjs'), '--max-restarts', '2', ...FAST]);
  t.match(looping, { code: 5, stderr: /the configuration is missing/ });
  await until(async () => (await appNamed('throws-at-load')).status === 'errored', 'it to give up');
  t.match(await appNamed('throws-at-load'), { workers: [{ restarts: 2 }] });

  const script = path.join(root, 'server.cjs');
  const release = (text) =>
    writeFileSync(script, `${text}; require(${JSON.stringify(app('http-pid.cjs'))});`);
  release('');
  const env = { PORT: String(await freePort()) };
  await ok(['start', script, '--name', 'web', '-i', '2', ...FAST], { env });
  const before = await pidsOf('web');
  const load = startLoad(t, { port: Number(env.PORT), clients: 2 });
  release("throw new Error('the table is missing')");
  const failed = await run(['reload', 'web']);
  t.match(failed, { code: 5, stderr: /2 workers run the old version[\s\S]*the table is missing/ });
  t.same(await pidsOf('web'), before);
  t.same((await load.stop()).failures, []);
});
