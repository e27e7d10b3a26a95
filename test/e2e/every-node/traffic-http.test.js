/** What reloads lose of HTTP/1.1: bodies in pieces, chunks, events, 100-continue, TLS. */
import t from 'tap';
import { http1Asks } from '../../support/traffic/http-requests.js';
import { reloadUnderTraffic } from '../../support/traffic/reload-under-traffic.js';

const program = 'traffic.cjs';

/** Connections that are kept, and others for one request each. @param {number} port */
function bothKinds(port) {
  const kept = http1Asks(port);
  const { asks } = http1Asks(port, { keepAlive: false });
  const short = Object.entries(asks).map(([kind, ask]) => [`short-${kind}`, ask]);
  return { asks: { ...kept.asks, ...Object.fromEntries(short) }, close: kept.close };
}

for (const scheduling of ['round-robin', 'shared']) {
  t.test(scheduling, (t) =>
    reloadUnderTraffic(t, { program, flags: ['--scheduling', scheduling], client: bothKinds }),
  );
}

t.test('TLS, and a program that ends by a handler of its own', (t) =>
  reloadUnderTraffic(t, {
    program,
    env: { PROTOCOL: 'https', OWN_HANDLER: 'yes' },
    flags: ['--kill-signal', 'SIGINT'],
    client: (port) => http1Asks(port, { secure: true }),
  }),
);
