/** A health check reaches the program's own server, whichever it is, and leaves no trace. */
import net from 'node:net';
import t from 'tap';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';

const HEALTH = {
  http: '/health',
  exec: null,
  intervalMs: 100,
  timeoutMs: 2000,
  failures: 1000,
  startPeriodMs: 60_000,
};
/** What a program sees of the client: host, address, whether it is encrypted; or why it cannot be asked. */
const SEEN = {
  http: /: 503 localhost 127\.0\.0\.1 false$/,
  https: /: 503 localhost 127\.0\.0\.1 true$/,
  express: /: 503 localhost 127\.0\.0\.1 false$/,
  http2: /Parse Error/,
  'http2 with TLS': /403 Missing ALPN Protocol, expected `h2`/,
};

const checked = async (t, change) =>
  startPrimary(t, await specOf('health-frameworks.cjs', { health: HEALTH, ...change }));
/** The reason with this part. */
const reasonOf = (primary, part) =>
  primary.when(
    ({ slots: [slot] }) => new RegExp(part).test(slot.health?.reason) && slot.health.reason,
    String(part),
  );

for (const [FRAMEWORK, seen] of Object.entries(SEEN)) {
  t.test(FRAMEWORK, async (t) => {
    t.ok(await reasonOf(await checked(t, { env: { FRAMEWORK } }), seen));
  });
}

for (const FRAMEWORK of ['http', 'https']) {
  t.test(`checks are no requests: ${FRAMEWORK}`, async (t) => {
    const primary = await startedPrimary(t, 'health-frameworks.cjs', {
      env: { FRAMEWORK },
      health: { ...HEALTH, http: '/', intervalMs: 20 },
      maxRequests: 10,
    });
    const { spec } = primary;
    // Failures are counted once a check has succeeded.
    const failing = { ...spec.health, http: '/health' };
    await primary.configure({ ...spec, health: failing });
    const measured = async () => (await primary.ask('telemetry', { leaseMs: 60_000 })).workers;
    const [{ pid }] = await measured();
    await primary.when(({ slots: [{ health }] }) => health?.failures >= 30, '30 checks');
    const [{ report }] = await measured();
    t.match(report, { requests: 0, errors: 0, connections: 0 });
    t.equal(report.latency.sumMs, 0);
    t.equal((await primary.state()).slots[0].pid, pid, 'nor for max_requests');
    if (FRAMEWORK === 'https') return;
    for (let count = 0; count < 12; count += 1) await ask(primary.port, '/');
    const replacing = () => primary.events.find(({ type }) => type === 'worker.replacing');
    const { reason } = await until(replacing, 'a replacement');
    t.match(reason, /^answered (9|1[0-2]) requests$/);
  });
}

t.test('a URL names the server by its port', async (t) => {
  const port = (await specOf('two-ports.cjs')).env.PORT;
  const env = { FRAMEWORK: 'http', PORT: port };
  const health = { ...HEALTH, http: `http://example.org:${port}/health` };
  const primary = await checked(t, { env, health });
  t.equal(
    await reasonOf(primary, ': 503'),
    `GET ${health.http}: 503 example.org:${port} 127.0.0.1 false`,
  );
  const other = { ...HEALTH, http: 'http://example.org:1/health' };
  await primary.configure({ ...primary.spec, health: other });
  await reasonOf(primary, 'no HTTP server listens on port 1');
});

t.test('a check is no connection to the server', async (t) => {
  const primary = await startPrimary(t, await specOf('health-bystander.cjs', { health: HEALTH }));
  await reasonOf(primary, '503 open 0 dropped 0 closed 0');
  const client = net.connect(primary.port, '127.0.0.1');
  t.teardown(() => client.destroy());
  await reasonOf(primary, '503 open 1 dropped 0');
  client.end('GET /close HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await reasonOf(primary, 'closed 1');
});
