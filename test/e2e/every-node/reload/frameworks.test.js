/** Reloads lose no request of Express, Fastify and Koa with their usual shutdown handlers. */
import t from 'tap';
import { http1Requests } from '../../../support/traffic/http-requests.js';
import { reloadUnderTraffic } from '../../../support/traffic/reload-under-traffic.js';

for (const program of ['express-ids.cjs', 'fastify-ids.cjs', 'koa-ids.cjs']) {
  t.test(program, (t) =>
    reloadUnderTraffic(t, {
      program,
      client: (port) => {
        const { requests, close } = http1Requests(port);
        return { requests: { post: requests.post, continue: requests.continue }, close };
      },
    }),
  );
}
