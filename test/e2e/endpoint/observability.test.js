/** The rules for Prometheus, their runbook and the dashboard: what they name exists, and each alert can fire. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parse } from 'yaml';
import { app, testHome } from '../../support/home.js';
import { ROOT, read } from '../../support/sources.js';
import { until } from '../../support/until.js';

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
