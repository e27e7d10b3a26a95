/** Metrics of a serving app, on stdout and over HTTP. */
import t from 'tap';
import { testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
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
