import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { makeDirectory, makeDirectorySync } from '../../../src/shared/files/make-directory.js';

t.test('what is missing is created, with the mode', async (t) => {
  const dir = t.testdir();
  await makeDirectory(path.join(dir, 'a/b/c'), 0o700);
  await makeDirectory(path.join(dir, 'a/b/c'), 0o700);
  makeDirectorySync(path.join(dir, 'd/e/f'), 0o700);
  for (const name of ['a', 'a/b/c', 'd', 'd/e/f']) {
    t.equal(statSync(path.join(dir, name)).mode & 0o777, 0o700, name);
  }
});

t.test('a link to a directory is one', async (t) => {
  const dir = t.testdir();
  mkdirSync(path.join(dir, 'real'));
  symlinkSync(path.join(dir, 'real'), path.join(dir, 'link'));
  await makeDirectory(path.join(dir, 'link/below'));
  t.ok(statSync(path.join(dir, 'real/below')).isDirectory());
});

t.test('a file in its place is an error', async (t) => {
  const dir = t.testdir();
  writeFileSync(path.join(dir, 'file'), '');
  await t.rejects(makeDirectory(path.join(dir, 'file/below')), { code: 'ENOTDIR' });
  t.throws(() => makeDirectorySync(path.join(dir, 'file/below'), 0o700), { code: 'ENOTDIR' });
});

const skip = process.platform !== 'linux' && 'needs /proc';
t.test(
  'where no directory can be created, it fails instead of trying for ever',
  { skip },
  async (t) => {
    await t.rejects(makeDirectory('/proc/nodecluster/deep'), { code: 'ENOENT' });
    t.throws(() => makeDirectorySync('/proc/nodecluster/deep', 0o700), { code: 'ENOENT' });
  },
);
