/** What reloads lose of Express, Fastify and Koa, each ended as its users end it. */
import t from 'tap';
import { http1Asks } from '../../support/traffic/http-requests.js';
import { reloadUnderTraffic } from '../../support/traffic/reload-under-traffic.js';

for (const program of ['express-ids.cjs', 'fastify-ids.cjs', 'koa-ids.cjs']) {
  t.test(program, (t) =>
    reloadUnderTraffic(t, {
      program,
      client: (port) => {
        const { asks, close } = http1Asks(port);
        return { asks: { post: asks.post, continue: asks.continue }, close };
      },
    }),
  );
}
