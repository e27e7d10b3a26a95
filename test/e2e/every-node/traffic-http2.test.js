/** What reloads lose of HTTP/2, where one session carries all requests of a client. */
import t from 'tap';
import { http2Asks } from '../../support/traffic/http-requests.js';
import { reloadUnderTraffic } from '../../support/traffic/reload-under-traffic.js';

t.test('with TLS, and a program that ends by a handler of its own', (t) =>
  reloadUnderTraffic(t, {
    program: 'traffic.cjs',
    env: { PROTOCOL: 'h2', OWN_HANDLER: 'yes' },
    client: (port) => http2Asks(port, { secure: true }),
  }),
);

t.test('without TLS, and a program that holds a timer', (t) =>
  reloadUnderTraffic(t, {
    program: 'traffic.cjs',
    env: { PROTOCOL: 'h2c', HOLD_TIMER: 'yes' },
    client: (port) => http2Asks(port),
  }),
);
