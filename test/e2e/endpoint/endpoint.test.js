/** Metrics, and /live, /ready and /startup of real apps: through a start, a crash, a hang, a reload and a shutdown. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { app, testHome } from '../../support/home.js';
import { answerOf, ask, pidsThatAnswer } from '../../support/http-ask.js';
import { faultsOf } from '../../support/metrics/exposition.js';
import { freePort } from '../../support/ports.js';
import { ROOT, read } from '../../support/sources.js';
import { until } from '../../support/until.js';

t.test(
  'requests are counted while metrics are scraped, and the endpoint survives the daemon',
  async (t) => {
    const { ok, run, begin, startApi } = testHome(t);
    const port = await startApi([], { program: 'watched.cjs' });

    const serving = begin(['metrics', '--listen', '127.0.0.1:0']);
    t.teardown(() => serving.child.kill('SIGKILL'));
    const [, digits] = await serving.said(/http:\/\/127\.0\.0\.1:(\d+)\/metrics/);
    const endpoint = Number(digits);
    const value = async (name) => {
      const body = await (await fetch(`http://127.0.0.1:${endpoint}/metrics`)).text();
      return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(body)?.[1]);
    };
    await until(
      async () => (await value('nodecluster_worker_http_requests_total')) === 0,
      'a zero',
    );
    await ask(port, '/');
    await ask(port, '/500');
    await until(async () => (await value('nodecluster_worker_http_requests_total')) === 2, 'both');
    t.equal(await value('nodecluster_worker_http_request_errors_total'), 1);
    t.equal(await value('nodecluster_worker_http_request_duration_seconds_count'), 2);
    t.equal(await value('nodecluster_daemon_up'), 1);
    t.match((await ok(['metrics'])).stdout, /^nodecluster_worker_http_requests_total\{.*\} 2$/m);

    const taken = await run(['metrics', '--listen', `127.0.0.1:${endpoint}`]);
    t.equal(taken.code, 7);
    t.match(taken.stderr, /Could not listen on 127\.0\.0\.1:\d+: in use by pid \d+/);

    await ok(['kill']);
    t.equal(await value('nodecluster_daemon_up'), 0, 'and it started none');
  },
);

t.test('the registries of prom-client, summed over the workers', async (t) => {
  const { ok } = testHome(t);
  const [port, other] = [await freePort(), await freePort()];
  const start = (name, PORT, ...flags) =>
    ok(['start', app('prom-client.mjs'), '--name', name, ...flags], {
      env: { PORT: String(PORT) },
    });
  await start('api', port, '-i', '2');
  await start('forked', other, '--exec-mode', 'fork');
  for (let count = 0; count < 20; count += 1) await ask(port);
  await ask(other);

  const before = (await ok(['metrics'])).stdout;
  t.same(faultsOf(before), [], 'Prometheus accepts it');
  const labels = 'app="api",namespace="default"';
  const forked = 'app="forked",namespace="default"';
  t.match(before, `\nserved_total{${labels},code="200"} 20\n`);
  t.match(before, `\nserved_total{${forked},code="200"} 1\n`);
  t.match(before, `\ntook_seconds_bucket{${labels},le="0.1"} 0\n`);
  t.match(before, `\ntook_seconds_bucket{${labels},le="+Inf"} 20\n`);
  t.match(before, `\ntook_seconds_count{${labels}} 20\n`);
  t.equal(before.match(/^nodejs_version_info\{app="api".* 1$/gm)?.length, 1, 'by its aggregator');
  t.match(before, `\nnodecluster_app_program_metrics_failed{${labels}} 0\n`);
});

const RULES = 'docs/observability/rules.yml';
const RUNBOOK = 'docs/observability/runbook.md';
const CASES = 'test/fixtures/prometheus-rules.yml';
const { homepage } = JSON.parse(read('package.json'));
const rules = parse(read(RULES)).groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const { tests } = parse(read(CASES));
const { panels, templating } = JSON.parse(read('docs/observability/grafana-dashboard.json'));
const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

function run(program, args) {
  const options = { cwd: ROOT, encoding: 'utf8' };
  const { error, status, stdout, stderr } = spawnSync(program, args, options);
  return { error, status, said: `${stdout}${stderr}` };
}
const without = (program) => run(program, ['--version']).error && `${program} is not installed`;

t.test('promtool', { skip: without('promtool') }, async (t) => {
  const promtool = (...args) => run('promtool', args);
  t.match(promtool('check', 'rules', RULES), { status: 0 }, 'the rules are valid');
  t.match(promtool('test', 'rules', CASES), { status: 0 }, 'they do what their cases say');
  const queries = shown.map((expr, index) => ({
    record: `panel:${index}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  const groups = [{ name: 'panels', rules: queries }];
  const file = join(t.testdir({ 'panels.yml': JSON.stringify({ groups }) }), 'panels.yml');
  t.match(
    promtool('check', 'rules', file),
    { status: 0 },
    'the queries of the dashboard are valid',
  );
});

t.test('each alert fires in one case and not in another', async (t) => {
  const cases = tests.flatMap(({ alert_rule_test: each = [] }) => each);
  for (const { alert } of alerts) {
    const counts = cases
      .filter(({ alertname }) => alertname === alert)
      .map(({ exp_alerts: fired }) => fired.length);
    t.ok(Math.max(...counts) > 0, `${alert} fires`);
    t.equal(Math.min(...counts), 0, `${alert} does not`);
  }
});

t.test('each recording rule has a value in one case', async (t) => {
  const cases = tests.flatMap(({ promql_expr_test: each = [] }) => each);
  const known = cases.filter(({ exp_samples: samples }) => samples.length > 0);
  const recorded = rules.flatMap(({ record }) => record ?? []);
  t.same(known.map(({ expr }) => expr).sort(), recorded.sort());
});

t.test('each alert has a paragraph of the runbook, and leads to it', async (t) => {
  const headings = [...read(RUNBOOK).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  const names = alerts.map(({ alert }) => alert);
  t.same(headings, names);
  const page = `${homepage.replace('#readme', '')}/blob/main/${RUNBOOK}`;
  const links = alerts.map(({ annotations }) => annotations.runbook_url);
  t.same(
    links,
    names.map((name) => `${page}#${name.toLowerCase()}`),
  );
});

t.test('every metric that a rule or the dashboard names is printed', async (t) => {
  const { ok, startApi } = testHome(t);
  await startApi([], { program: 'watched.cjs' });
  await ok(['start', app('exits-0.cjs'), '--name', 'report', '--schedule', '0 0 1 1 *']);
  await ok(['reload', 'api']);
  // Workers measure from the first request for metrics on.
  const text = await until(async () => {
    const { stdout } = await ok(['metrics']);
    return stdout.includes('nodecluster_worker_http_requests_total{') && stdout;
  }, 'the figures of the worker');
  const printed = new Set(text.match(/^nodecluster_\w+/gm));
  const lists = templating.list.flatMap(({ definition }) => definition ?? []);
  const expressions = [...rules.map(({ expr }) => expr), ...shown, ...lists];
  const unnamed = expressions.filter((expr) => !/\bnodecluster_/.test(expr));
  t.same(unnamed, [], 'each names one');
  const named = expressions.flatMap((expr) => expr.match(/\bnodecluster_\w+/g));
  t.same(
    named.filter((name) => !printed.has(name)),
    [],
  );
});

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
    body: /^not live\napi: no worker answers \(worker 0: blocked \d+s( in .*)?\)\n$/,
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
