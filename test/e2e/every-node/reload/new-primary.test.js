/** Settings that need another primary: it serves beside the old one before that stops. */
import t from 'tap';
import { NODE, testHome } from '../../../support/home.js';
import { startLoad } from '../../../support/http-load.js';

/** From the Node under test, if it is another one, to the one of this test and back. */
const INTERPRETERS = new Set([process.execPath, NODE]);

t.test('scheduling and interpreter change without a lost request', async (t) => {
  const { ok, appNamed, startApi } = testHome(t);
  const port = await startApi(['-i', '2', '--min-uptime', '200ms']);
  const load = startLoad({ port, clients: 4 });
  t.teardown(() => load.stop());
  await load.answers(10);
  const reload = async (/** @type {string[]} */ ...change) => {
    const { primaryPid } = await appNamed('api');
    await ok(['reload', 'api', ...change]);
    const changed = await appNamed('api');
    t.equal(changed.status, 'online');
    t.not(changed.primaryPid, primaryPid);
    await load.answers(20);
    return changed;
  };
  for (const scheduling of ['sticky', 'round-robin', 'fair']) {
    t.match(await reload('--scheduling', scheduling), { scheduling });
  }
  for (const interpreter of INTERPRETERS) await reload('--interpreter', interpreter);
  t.match(await load.stop(), { failed: 0, failures: [] });
});
