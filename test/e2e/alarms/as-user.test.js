/** The command of an app with `uid` runs as that user: who may change the app's files gets nothing of root. */
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

const NOBODY = 65534;
const skip = process.getuid?.() === 0 ? false : 'only root can start programs as another user';

t.test('it runs as the user of the app', { skip }, async (t) => {
  const { root, ok } = testHome(t);
  chmodSync(root, 0o755);
  const cwd = join(root, 'work');
  mkdirSync(cwd);
  chownSync(cwd, NOBODY, NOBODY);
  const command = '{ id -u; id -G; env; } > new; mv new told';
  writeFileSync(
    join(root, 'ecosystem.json'),
    JSON.stringify({
      name: 'api',
      script: app('http-pid.cjs'),
      cwd,
      uid: 'nobody',
      min_uptime: '50ms',
      env: { PORT: String(await freePort()), OWN: 'mine' },
      on: [{ event: 'worker.online', run: ['/bin/sh', '-c', command] }],
    }),
  );
  await ok(['start', 'ecosystem.json'], { env: { OF_ROOT: 's3cret' } });
  const file = join(cwd, 'told');
  await until(() => existsSync(file), 'the command to run');
  const [uid, groups, ...variables] = readFileSync(file, 'utf8').trim().split('\n');
  t.equal(uid, String(NOBODY));
  t.equal(groups, String(NOBODY), 'no supplementary groups');
  t.ok(variables.includes('OWN=mine'));
  t.notMatch(variables.join('\n'), /s3cret|HOME=\/root/);
  const isCounted = async () => / 1 delivered/.test((await ok(['describe', 'api'])).stdout);
  await until(isCounted, 'it to be counted');
});
