/** Metrics of a serving app, and what programs count with the real prom-client, on stdout and over HTTP. */
import t from 'tap';
import { faultsOf } from '../../support/metrics/exposition.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
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
