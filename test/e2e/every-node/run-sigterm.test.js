/** A container is stopped under load: what was sent until the load balancer knows is answered. */
import t from 'tap';
import { app } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { NOTHING, testRun } from '../../support/foreground/run.js';
import { until } from '../../support/until.js';

t.test('SIGTERM with 20 clients, on kept and on new connections', async (t) => {
  const { begin, left } = testRun(t);
  const port = await freePort();
  const flags = ['-i', '2', '--name', 'api', '--shutdown-delay', '5s'];
  const { child, ended } = begin([app('slow-20ms.mjs'), ...flags], { env: { PORT: String(port) } });
  await until(() => ask(port), 'an answer');

  const kept = startLoad({ port, prefix: 'kept-' });
  const fresh = startLoad({ port, prefix: 'new-', keepAlive: false });
  await Promise.all([kept.answers(100), fresh.answers(100)]);
  child.kill('SIGTERM');
  await Promise.all([kept.answers(10), fresh.answers(10)]);
  t.match(await kept.stop(), { failed: 0, failures: [] });
  t.match(await fresh.stop(), { failed: 0, failures: [] });
  t.match(await ended, { code: 0, signal: null, stderr: /\[nodecluster\] SIGTERM: stopping/ });
  t.same(left(), NOTHING);
});
