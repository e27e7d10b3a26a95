/** A worker of another user is looked into as that user, and the profile belongs to who asks for it. */
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';

const skip = process.getuid?.() === 0 ? false : 'only root can start programs as another user';

t.test('why and profile', { skip }, async (t) => {
  const home = testHome(t);
  chmodSync(home.root, 0o755);
  const port = await freePort();
  const start = ['start', app('spins-three-deep.cjs'), '--name', 'api', '--uid', 'nobody'];
  await home.ok([...start, '--set-env', `PORT=${port}`]);
  const profile = await home.ok(['profile', 'api', '--cpu', '100ms', '--json']);
  const { file } = JSON.parse(profile.stdout);
  const { uid, mode } = statSync(file);
  t.same({ uid, mode: mode & 0o777 }, { uid: 0, mode: 0o600 });
  await ask(port, `/spin?${join(home.root, 'never')}`);
  const { stdout } = await home.ok(['why', 'api']);
  t.match(stdout, /^api:0 is blocked in inner \(spins-three-deep\.cjs:12:\d+\)\n +at inner /);
});
