/** More workers and fewer, without a lost request. */
import t from 'tap';
import { app, testHome } from '../support/home.js';
import { startLoad } from '../support/http-load.js';
import { freePort } from '../support/ports.js';

t.test('scale up and down under load', async (t) => {
  const { ok, run, appNamed, pidsOf } = testHome(t);
  const port = await freePort();
  await ok(['start', app('http-pid.cjs'), '--name', 'api'], { env: { PORT: String(port) } });
  const [first] = await pidsOf('api');
  const loads = [true, false].map((keepAlive) => startLoad({ port, keepAlive, clients: 4 }));
  t.teardown(() => Promise.all(loads.map((load) => load.stop())));
  for (const [wanted, count] of [
    ['3', 3],
    ['+1', 4],
    ['-2', 2],
    ['1', 1],
  ]) {
    await ok(['scale', 'api', wanted]);
    const { instances, workers } = await appNamed('api');
    t.same([instances, workers.length], [count, count], `scale ${wanted}`);
    t.same(
      workers.map(({ slot }) => slot),
      Array.from({ length: count }, (_, slot) => slot),
    );
    await Promise.all(loads.map((load) => load.answers(10)));
  }
  t.same(await pidsOf('api'), [first], 'the first worker stayed');
  for (const load of loads) {
    const { made, failures } = await load.stop();
    t.same(failures, [], `of ${made} requests`);
  }
  t.not((await run(['scale', 'api', 'many'])).code, 0);
});
