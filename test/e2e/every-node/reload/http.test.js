/** Reloads lose no HTTP/1.1 request: slow bodies, chunks, server-sent events, 100-continue, TLS. */
import t from 'tap';
import { http1Requests } from '../../../support/traffic/http-requests.js';
import { reloadUnderTraffic } from '../../../support/traffic/reload-under-traffic.js';

const program = 'traffic.cjs';

/** Connections that are kept, and others for one request each. @param {number} port */
function bothKinds(port) {
  const kept = http1Requests(port);
  const { requests } = http1Requests(port, { keepAlive: false });
  const short = Object.entries(requests).map(([kind, ask]) => [`short-${kind}`, ask]);
  return { requests: { ...kept.requests, ...Object.fromEntries(short) }, close: kept.close };
}

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(scheduling, (t) =>
    reloadUnderTraffic(t, { program, flags: ['--scheduling', scheduling], client: bothKinds }),
  );
}

t.test('TLS, and a program with its own shutdown handler', (t) =>
  reloadUnderTraffic(t, {
    program,
    env: { PROTOCOL: 'https', OWN_HANDLER: 'yes' },
    flags: ['--kill-signal', 'SIGINT'],
    client: (port) => http1Requests(port, { secure: true }),
  }),
);
