/** /live, /ready and /startup of real apps: through a start, a crash, a hang, a reload and a shutdown. */
import t from 'tap';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, testHome } from '../../support/home.js';
import { answerOf, ask, pidsThatAnswer } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

const LIVE = { live: 200, ready: 200, startup: 200 };
const NOT_READY = { live: 200, ready: 503, startup: 200 };

t.test('run --listen: from the first start to SIGTERM', async (t) => {
  const { root, begin } = testHome(t);
  const [port, probePort] = [await freePort(), await freePort()];
  const settings = '--name api -i 2 --shutdown-delay 1s --wait-ready'.split(' ');
  const listen = ['--listen', `127.0.0.1:${probePort}`];
  const running = begin(['run', app('ready-when-file-exists.cjs'), ...settings, ...listen], {
    env: { PORT: String(port), FOLDER: root, XDG_RUNTIME_DIR: root },
  });
  t.teardown(() => running.child.kill('SIGKILL'));
  await running.said(/probes and metrics on http:\/\/127\.0\.0\.1/);
  const probe = prober(probePort);
  t.same(await probe.statuses(), { live: 200, ready: 503, startup: 503 }, 'before the first start');
  await probe.until('ready', /^not ready\napi: 0 of 2 workers ready, 1 needed \(worker 0: /);

  for (const slot of [0, 1]) writeFileSync(join(root, `READY_${slot}`), '');
  await probe.reach(LIVE);
  t.match(await probe.get('metrics'), { status: 200, body: /^nodecluster_app_workers\{.*\} 2$/m });
  const [pid] = await pidsThatAnswer(port, 2);
  process.kill(pid, 'SIGKILL');
  const seen = await probe.during(() => pidsThatAnswer(port, 2));
  t.same(seen, [LIVE], 'one of two workers crashed');

  running.child.kill('SIGTERM');
  await probe.reach(NOT_READY);
  t.match(await probe.get('ready'), { body: 'not ready\nit is shutting down\n' });
  t.ok((await ask(port)).pid, 'it goes on serving for shutdown_delay');
  t.match(await running.ended, { code: 0 });
});

t.test('metrics --listen: a reload, a hang, a crash, a loss of the daemon, a kill', async (t) => {
  const { root, ok, run, begin, list } = testHome(t);
  const port = await freePort();
  const serving = begin(['metrics', '--listen', '127.0.0.1:0']);
  t.teardown(() => serving.child.kill('SIGKILL'));
  const [, digits] = await serving.said(/http:\/\/127\.0\.0\.1:(\d+)\/metrics, and probes on/);
  const probe = prober(Number(digits));
  t.same(await probe.statuses(), { live: 200, ready: 503, startup: 503 }, 'nothing runs');

  const env = { PORT: String(port) };
  await ok(['start', app('blocks-on-demand.cjs'), '--name', 'api', '--min-uptime', '100ms'], {
    env,
  });
  t.same(await probe.statuses(), LIVE);
  t.same(await probe.during(() => ok(['reload', 'api'])), [LIVE], 'the only worker was replaced');

  const { daemon } = await list();
  process.kill(daemon.pid, 'SIGKILL');
  t.same(await probe.during(() => ok(['ls'])), [LIVE], 'another daemon');

  const blocked = join(root, 'blocked');
  await ask(port, `/block?${blocked}`);
  await probe.reach({ live: 503, ready: 503, startup: 200 });
  t.match(await probe.get('live'), {
    body: /^not live\napi: no worker answers \(worker 0: event loop blocked for \d+s( in .*)?\)\n$/,
  });
  await ok(['scale', 'api', '2']);
  await probe.reach(LIVE);
  t.pass('one of two workers is blocked');
  writeFileSync(blocked, '');

  const startBad = (...flags) => run(['start', app('exits-1.cjs'), '--name', 'bad', ...flags]);
  t.not((await startBad()).code, 0);
  await probe.until('ready', /^not ready\nbad: 0 of 1 worker ready, 1 needed \(worker 0: /);
  t.equal((await probe.get('live')).status, 200, 'in backoff: a restart would not help');
  await ok(['delete', 'bad']);
  t.not((await startBad('--max-restarts', '0')).code, 0);
  t.same(await probe.statuses(), { live: 200, ready: 503, startup: 503 }, 'errored');
  await ok(['delete', 'bad']);
  t.not((await startBad('--max-restarts', '0', '--ready-min', '0')).code, 0);
  t.same(await probe.statuses(), LIVE, 'one that need not be ready');

  await ok(['kill']);
  await probe.reach({ live: 200, ready: 503, startup: 503 });
});

function prober(port) {
  const get = (name) => answerOf({ port, path: `/${name}` });
  const statuses = async () => {
    const [live, ready, startup] = await Promise.all(['live', 'ready', 'startup'].map(get));
    return { live: live.status, ready: ready.status, startup: startup.status };
  };
  return {
    get,
    statuses,
    until: (name, regexp) =>
      until(async () => regexp.test((await get(name)).body), `${name} to answer ${regexp}`),
    reach: (expected) =>
      until(
        async () => JSON.stringify(await statuses()) === JSON.stringify(expected),
        `the probes to answer ${JSON.stringify(expected)}`,
      ),
    async during(action) {
      const seen = new Set();
      let isDone = false;
      const done = action().finally(() => (isDone = true));
      while (!isDone) seen.add(JSON.stringify(await statuses()));
      await done;
      return [...seen].map((text) => JSON.parse(text));
    },
  };
}
