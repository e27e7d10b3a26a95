/** Each process of an app is killed under load, programs crash, and a release does not start. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { app, testHome } from '../support/home.js';
import { startLoad } from '../support/http-load.js';
import { freePort } from '../support/ports.js';
import { until } from '../support/until.js';

const FAST = ['--min-uptime', '100ms', '--exp-backoff-restart-delay', '20ms'];
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
