/** `npm install` replaces the package's directory under a running tree, with and without a service. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { NODE, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { makeOtherVersion } from '../../support/package/other-version.js';
import { restartingService } from '../../support/systemd/restarting-service.js';
import { readUnit } from '../../support/systemd/unit.js';
import { until } from '../../support/until.js';

const EARLIER = { version: '8.0.0', protocol: 9, oldest: 8 };
const LATER = { version: '9.0.0', protocol: 9, oldest: 8 };

const AGENT = [[/^/, 'throw new Error("an agent of another version");\n']];

t.test('a service keeps its daemon, and takes the version in its directory', async (t) => {
  const home = testHome(t);
  const { root, env, ok, run, list } = home;
  const installed = join(root, 'installed');
  const bin = await makeOtherVersion(installed, EARLIER);
  const port = await home.startApi([], { bin });
  const unit = readUnit((await ok(['startup', 'systemd', '--print'], { bin })).stdout);
  const service = restartingService(t, { ...unit, env: { ...unit.env, HOME: env.HOME } });
  await until(async () => (await list()).daemon.pid === service.pid(), 'the daemon of the service');
  const before = await list();

  rmSync(installed, { recursive: true });
  await makeOtherVersion(installed, { ...LATER, edits: { 'src/agent/main.cjs': AGENT } });
  const [{ primaryPid, workers }] = before.apps;
  process.kill(workers[0].pid, 'SIGKILL');
  await until(() => ask(port), 'a worker with the agent of its primary');

  const other = await run(['update']);
  t.match(other, { code: 6, stderr: /runs another command.*Nothing was changed/ });
  t.match(other.stderr, `the service: ${NODE} ${bin}`);
  t.equal((await list()).daemon.pid, before.daemon.pid, 'nothing was changed');

  t.match(await ok(['update'], { bin }), { stdout: /8\.0\.0 → 9\.0\.0.*same processes/ });
  const after = await list();
  t.strictSame(after.daemon, { ...after.daemon, version: '9.0.0', pid: service.pid() });
  t.equal(after.apps[0].primaryPid, primaryPid);
  t.match(await ok(['update'], { bin }), { stdout: /up to date: nodecluster 9\.0\.0/ });

  service.disable();
  rmSync(installed, { recursive: true });
  await makeOtherVersion(installed, EARLIER);
  const alone = await run(['update'], { bin });
  t.match(alone, { code: 8, stderr: /service did not start .*\n *nodecluster 8\.0\.0 \(pid / });
  t.match((await list()).apps, [{ primaryPid, status: 'online' }], 'the app has its daemon');
});
