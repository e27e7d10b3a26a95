import t from 'tap';
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureHome, isHomePresent, resolveHome } from '../../src/shared/home.js';

t.test('it comes from the environment, or lies in the home of the user', async (t) => {
  t.equal(resolveHome({ NODECLUSTER_HOME: '/x/y' }), '/x/y');
  t.equal(path.basename(resolveHome({})), '.nodecluster');
  t.ok(path.isAbsolute(resolveHome({ NODECLUSTER_HOME: 'relative' })));
});

t.test('it is made for its owner only, and again is no error', async (t) => {
  const home = path.join(t.testdir(), 'deep', 'home');
  const paths = ensureHome(home);
  ensureHome(home);
  for (const directory of [home, paths.appsDir, paths.primariesDir, paths.logs]) {
    t.equal(statSync(directory).mode & 0o777, 0o700, directory);
  }
  t.equal(paths.logFile('api', 'error'), path.join(home, 'logs', 'api-error.log'));
});

t.test('a directory that is empty is made private', async (t) => {
  const home = path.join(t.testdir(), 'home');
  mkdirSync(home);
  chmodSync(home, 0o775);
  ensureHome(home);
  t.equal(statSync(home).mode & 0o777, 0o700);
});

t.test('what is not safe is refused, not mended', async (t) => {
  const dir = t.testdir();
  const open = path.join(dir, 'open');
  mkdirSync(open);
  writeFileSync(path.join(open, 'something'), '');
  chmodSync(open, 0o755);
  t.throws(() => ensureHome(open), { code: 'E_HOME_OPEN', data: { mode: '0755' } });
  const link = path.join(dir, 'link');
  symlinkSync(open, link);
  t.throws(() => ensureHome(link), { code: 'E_HOME_NOT_A_DIRECTORY' });
  const file = path.join(dir, 'file');
  writeFileSync(file, '');
  t.throws(() => ensureHome(file), { code: 'E_HOME_NOT_A_DIRECTORY' });
  t.throws(() => ensureHome(path.join(file, 'below')), { code: 'E_HOME_UNUSABLE' });
  const nowhere = path.join(dir, 'nowhere');
  symlinkSync(path.join(dir, 'missing'), nowhere);
  t.throws(() => ensureHome(path.join(nowhere, 'home')), {
    code: 'E_HOME_UNUSABLE',
    message: /ENOENT: a directory above it is a link that cannot be followed/,
  });
  const below = path.join(file, 'below');
  for (const present of [link, nowhere, file, below]) t.ok(isHomePresent(present), present);
  t.notOk(isHomePresent(path.join(dir, 'missing')));
});
