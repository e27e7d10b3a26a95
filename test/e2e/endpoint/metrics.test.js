/** Metrics of a serving app, on stdout and over HTTP. */
import t from 'tap';
import { request } from 'node:http';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

t.test(
  'requests are counted while metrics are scraped, and the endpoint survives the daemon',
  async (t) => {
    const { ok, run, begin } = testHome(t);
    const port = await freePort();
    await ok(['start', app('watched.cjs'), '--name', 'api'], { env: { PORT: String(port) } });

    const serving = begin(['metrics', '--listen', '127.0.0.1:0']);
    t.teardown(() => serving.child.kill('SIGKILL'));
    const [, digits] = await serving.said(/http:\/\/127\.0\.0\.1:(\d+)\/metrics/);
    const endpoint = Number(digits);
    const value = async (name) => {
      const { body } = await fetchText(endpoint, { path: '/metrics' });
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
    t.match(taken.stderr, /Could not listen on 127\.0\.0\.1:\d+: another process listens there/);

    await ok(['kill']);
    t.equal(await value('nodecluster_daemon_up'), 0, 'and it started none');
  },
);

t.test('the endpoint answers GET /metrics in two formats, and no more', async (t) => {
  const { begin } = testHome(t);
  const serving = begin(['metrics', '--listen', '0', '--allow-host', 'metrics.internal']);
  t.teardown(() => serving.child.kill('SIGKILL'));
  const [, digits] = await serving.said(/http:\/\/127\.0\.0\.1:(\d+)\/metrics/);
  const get = (options) => fetchText(Number(digits), options);
  t.match(await get({ path: '/metrics' }), { status: 200, type: /^text\/plain; version=0\.0\.4/ });
  const headers = { accept: 'application/openmetrics-text;version=1.0.0,*/*;q=0.1' };
  t.match(await get({ path: '/metrics', headers }), { status: 200, type: /^text\/plain/ });
  const rebound = { path: '/metrics', headers: { host: `evil.example:${digits}` } };
  t.match(await get(rebound), { status: 403, body: /^(?!nodecluster_)/ });
  const named = { path: '/metrics', headers: { host: `metrics.internal:${digits}` } };
  t.match(await get(named), { status: 200 });
  t.match(await get({ path: '/' }), { status: 404 });
  t.match(await get({ path: '/metrics', method: 'POST' }), { status: 405 });
});

t.test('an invalid address', async (t) => {
  const { run } = testHome(t);
  for (const address of ['', ':9100', 'here', '127.0.0.1:99999', '[127.0.0.1]:9100', 'a b:1']) {
    const { code, stderr } = await run(['metrics', '--listen', address]);
    t.equal(code, 2, address);
    t.match(stderr, 'is not an address');
  }
});

/** @returns {Promise<{status: number, type: string, body: string}>} */
function fetchText(port, options) {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, agent: false, ...options }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () =>
        resolve({ status: response.statusCode, type: response.headers['content-type'], body }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}
