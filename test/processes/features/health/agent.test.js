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
/** What a program sees of the client: host, address, whether it is encrypted. */
const SEEN = {
  http: 'localhost 127.0.0.1 false',
  https: 'localhost 127.0.0.1 true',
  express: 'localhost 127.0.0.1 false',
  koa: 'localhost 127.0.0.1 false',
  fastify: 'localhost 127.0.0.1 false',
};

for (const [FRAMEWORK, seen] of Object.entries(SEEN)) {
  t.test(FRAMEWORK, async (t) => {
    const spec = await specOf('health-frameworks.cjs', { env: { FRAMEWORK }, health: HEALTH });
    const primary = await startPrimary(t, spec);
    const reason = await primary.when(
      ({ slots: [slot] }) => slot.health?.reason?.includes(': 503') && slot.health.reason,
      'the answer of the program',
    );
    t.equal(reason, `GET /health: 503 ${seen}`);
  });
}

t.test('a server without HTTP/1.1 fails, and says so if it has TLS', async (t) => {
  for (const [FRAMEWORK, expected] of [
    ['http2', /Parse Error/],
    ['http2 with TLS', /403 Missing ALPN Protocol, expected `h2`/],
  ]) {
    const spec = await specOf('health-frameworks.cjs', { env: { FRAMEWORK }, health: HEALTH });
    const primary = await startPrimary(t, spec);
    const reasonOf = ({ slots: [slot] }) => expected.test(slot.health?.reason);
    t.ok(await primary.when(reasonOf, String(expected)));
  }
});

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
    await primary.ask('configure', { spec: { ...spec, health: failing } });
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
    t.match(reason, /^it answered (9|1[0-2]) requests$/);
  });
}

t.test('a URL names the server by its port', async (t) => {
  const port = (await specOf('two-ports.cjs')).env.PORT;
  const spec = await specOf('health-frameworks.cjs', {
    env: { FRAMEWORK: 'http', PORT: port },
    health: { ...HEALTH, http: `http://example.org:${port}/health` },
  });
  const primary = await startPrimary(t, spec);
  const reasonIs = (part) =>
    primary.when(
      ({ slots: [slot] }) => slot.health?.reason?.includes(part) && slot.health.reason,
      part,
    );
  t.equal(
    await reasonIs(': 503'),
    `GET http://example.org:${port}/health: 503 example.org:${port} 127.0.0.1 false`,
  );
  await primary.ask('configure', {
    spec: { ...spec, health: { ...HEALTH, http: 'http://example.org:1/health' } },
  });
  await reasonIs('no HTTP server listens on port 1');
});

t.test('a check is no connection to the server', async (t) => {
  const spec = await specOf('health-bystander.cjs', { health: HEALTH });
  const primary = await startPrimary(t, spec);
  const said = (part) =>
    primary.when(({ slots: [{ health }] }) => health?.reason?.includes(part), part);
  await said('503 open 0 dropped 0 closed 0');
  const client = net.connect(primary.port, '127.0.0.1');
  t.teardown(() => client.destroy());
  await said('503 open 1 dropped 0');
  client.end('GET /close HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await said('closed 1');
});
