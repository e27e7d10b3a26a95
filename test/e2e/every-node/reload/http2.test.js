/** Reloads lose no HTTP/2 request; one session carries all requests of a client. */
import t from 'tap';
import { http2Requests } from '../../../support/traffic/http-requests.js';
import { reloadUnderTraffic } from '../../../support/traffic/reload-under-traffic.js';

t.test('with TLS, and a program with its own shutdown handler', (t) =>
  reloadUnderTraffic(t, {
    program: 'traffic.cjs',
    env: { PROTOCOL: 'h2', OWN_HANDLER: 'yes' },
    client: (port) => http2Requests(port, { secure: true }),
  }),
);

t.test('without TLS, and a program that keeps a timer running', (t) =>
  reloadUnderTraffic(t, {
    program: 'traffic.cjs',
    env: { PROTOCOL: 'h2c', HOLD_TIMER: 'yes' },
    client: (port) => http2Requests(port),
  }),
);
