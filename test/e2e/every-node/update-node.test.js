/** `update` after Node itself was upgraded, and back. */
import { execFileSync } from 'node:child_process';
import t from 'tap';
import { NODE, app, testHome } from '../../support/home.js';
import { startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';

const other = execFileSync(NODE, ['--version'], { encoding: 'utf8' }).trim();
const isOther = other !== process.version;
const skip = isOther ? false : 'needs NODECLUSTER_TEST_NODE, a Node of another version';

t.test('daemon and primaries move to another Node without a lost request', { skip }, async (t) => {
  const { ok, list, startApi } = testHome(t);
  const first = { node: process.execPath };
  const port = await startApi(['-i', '2'], first);
  await ok(['start', app('http-pid.cjs'), '--name', 'own', '--interpreter', process.execPath], {
    ...first,
    env: { PORT: String(await freePort()) },
  });
  const load = startLoad(t, { port, clients: 2 });
  const before = await list();
  t.match(before.daemon, { node: process.version });
  t.match(before.apps, [{ primaryNode: process.version }, { primaryNode: null }]);

  const numbers = [process.version, other].map((version) => version.slice(1));
  t.match((await ok(['update'])).stdout, `Node ${numbers.join(' → ')}`);
  t.match((await ok(['update'])).stdout, /up to date/);
  const moved = await list();
  t.match(moved.daemon, { node: other });
  t.same(
    moved.apps.map(({ primaryPid }) => primaryPid),
    before.apps.map(({ primaryPid }) => primaryPid),
  );
  await ok(['update', '--apps']);
  const replaced = await list();
  t.match(replaced.apps[0], { primaryNode: other, status: 'online' });
  t.equal(replaced.apps[1].primaryPid, before.apps[1].primaryPid, 'its interpreter is its own');
  t.match((await ok(['update', '--apps'])).stdout, /Every primary is up to date/);

  await ok(['update', '--apps'], first);
  t.match((await list()).apps[0], { primaryNode: process.version });
  t.strictSame((await load.stop()).failures, []);
});
