/** The daemon and then the primary are replaced by those of another version, under load. */
import t from 'tap';
import path from 'node:path';
import { app, testHome } from '../support/home.js';
import { startLoad } from '../support/http-load.js';
import { makeOtherVersion } from '../support/package/other-version.js';
import { freePort } from '../support/ports.js';

t.test('update, and update --apps', async (t) => {
  const { root, ok, list } = testHome(t, { inProcess: true });
  const env = { PORT: String(await freePort()) };
  await ok(['start', app('http-pid.cjs'), '--name', 'web', '-i', '2'], { env });
  const [before] = (await list()).apps;
  const load = startLoad(t, { port: Number(env.PORT), clients: 2, keepAlive: false });
  const bin = await makeOtherVersion(path.join(root, 'newer'), {
    version: '9.0.0',
    protocol: 9,
    oldest: 8,
  });
  t.match((await ok(['update'], { bin })).stdout, /→ 9\.0\.0.*same processes/);
  const after = await list();
  t.equal(after.daemon.version, '9.0.0');
  t.equal(after.apps[0].primaryPid, before.primaryPid);
  await ok(['update', '--apps'], { bin });
  t.not((await list()).apps[0].primaryPid, before.primaryPid);
  await load.answers(5);
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
});
