/** What programs count with the real prom-client, in cluster mode and in fork mode. */
import t from 'tap';
import { faultsOf } from '../../support/metrics/exposition.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';

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

  await ok(['reload', 'api']);
  await ask(port);
  t.match((await ok(['metrics'])).stdout, `\nserved_total{${labels},code="200"} 21\n`);
});
