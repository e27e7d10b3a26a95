/** A health check reaches the program's own server, whichever it is, and leaves no trace. */
import { connect } from 'node:net';
import t from 'tap';
import { specOf, startPrimary } from '../primary/primary-under-test.js';
import { until } from '../support/until.js';

const HEALTH = {
  http: '/health',
  exec: null,
  intervalMs: 100,
  timeoutMs: 2000,
  failures: 1000,
  startPeriodMs: 60_000,
};
/** What a program sees of the client: host, address, whether it is encrypted. @type {Record<string, string>} */
const SEEN = {
  http: 'localhost 127.0.0.1 false',
  https: 'localhost 127.0.0.1 true',
  // node:http2 gives a program no address of a stream that is not a socket.
  http2: 'undefined undefined false',
  'http2 with TLS': 'undefined undefined false',
  express: 'localhost 127.0.0.1 false',
  koa: 'localhost 127.0.0.1 false',
  fastify: 'localhost 127.0.0.1 false',
};

for (const [FRAMEWORK, seen] of Object.entries(SEEN)) {
  t.test(FRAMEWORK, async (t) => {
    const spec = await specOf('health-frameworks.cjs', { env: { FRAMEWORK }, health: HEALTH });
    const primary = await startPrimary(t, spec);
    const reason = await primary.when(
      ({ slots: [slot] }) => slot.health?.reason?.includes('503') && slot.health.reason,
      'the answer of the program',
    );
    t.equal(reason, `GET /health: 503 ${seen}`);
    if (FRAMEWORK !== 'http') return;
    const { workers } = await primary.ask('telemetry', { leaseMs: 60_000 });
    const after = await until(async () => {
      const [{ report }] = (await primary.ask('telemetry', { leaseMs: 60_000 })).workers;
      return report.atMs - workers[0].report.atMs > 500 && report;
    }, 'some checks');
    t.match(after, { requests: 0, errors: 0, connections: 0 }, 'they are not counted');
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
    await reasonIs('503'),
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
  await said('503 open 0 dropped 0 timeouts 0 closed 0');
  const client = connect(primary.port, '127.0.0.1');
  t.teardown(() => client.destroy());
  await said('503 open 1 dropped 0');
  client.end('GET /close HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await said('closed 1');
});
