/** Three reloads lose no request that a worker is working on: with and without keep-alive, with each policy. */
import t from 'tap';
import { app, testHome } from '../../../support/home.js';
import { startLoad } from '../../../support/http-load.js';
import { freePort } from '../../../support/ports.js';

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(scheduling, async (t) => {
    const { ok, pidsOf } = testHome(t);
    const port = await freePort();
    const start = [
      'start',
      app('slow-20ms.mjs'),
      '-i',
      '2',
      '--name',
      'api',
      '--min-uptime',
      '100',
    ];
    await ok([...start, '--scheduling', scheduling], { env: { PORT: String(port) } });
    const loads = [true, false].map((keepAlive) =>
      startLoad({ port, keepAlive, clients: 5, manyAddresses: true }),
    );
    t.teardown(() => Promise.all(loads.map((load) => load.stop())));
    const seen = new Set();
    for (let reload = 0; reload < 3; reload++) {
      for (const pid of await pidsOf('api')) seen.add(pid);
      await Promise.all(loads.map((load) => load.answers(20)));
      await ok(['reload', 'api']);
    }
    await Promise.all(loads.map((load) => load.answers(20)));
    const after = await pidsOf('api');
    t.equal(seen.size, 6, 'each reload replaced both');
    t.notOk(after.some((pid) => seen.has(pid)));
    for (const load of loads) {
      const { made, failures } = await load.stop();
      t.same(failures, [], `of ${made} requests`);
    }
  });
}
