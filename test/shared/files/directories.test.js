import { execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import t from 'tap';
import {
  makeDirectory,
  makeDirectorySync,
  removeDirectory,
} from '../../../src/shared/files/directories.js';
import { eventOf, within } from '../../support/until.js';

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

const needsProc = process.platform !== 'linux' && 'needs /proc';
t.test(
  'where no directory can be created, it fails instead of trying for ever',
  { skip: needsProc },
  async (t) => {
    await t.rejects(makeDirectory('/proc/nodecluster/deep'), { code: 'ENOENT' });
    t.throws(() => makeDirectorySync('/proc/nodecluster/deep', 0o700), { code: 'ENOENT' });
  },
);

const NOBODY = 65534;
const needsRoot = process.getuid?.() === 0 ? false : 'only root can remove what another user has';

/** Swaps a directory and a link to another one, with files of the same names, as fast as it can. */
const SWAP = `
  const fs = require('node:fs');
  fs.mkdirSync('inside');
  for (let count = 0; count < 50; count++) fs.writeFileSync('inside/' + count, '');
  fs.symlinkSync(process.argv[1], 'link');
  process.stdout.write('ready');
  for (;;) {
    try {
      fs.renameSync('inside', 'aside');
      fs.renameSync('link', 'inside');
      fs.renameSync('inside', 'link');
      fs.renameSync('aside', 'inside');
    } catch {
      break;
    }
  }`;

t.test('what it contains, but not what a link in it points to', async (t) => {
  const root = t.testdir({ gone: { below: { file: '' } }, kept: { file: '' } });
  execFileSync('ln', ['-s', path.join(root, 'kept'), path.join(root, 'gone', 'below', 'link')]);
  removeDirectory(path.join(root, 'gone'));
  t.notOk(existsSync(path.join(root, 'gone')));
  t.ok(existsSync(path.join(root, 'kept', 'file')));
});

t.test('a user who swaps directories for links', { skip: needsRoot }, async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'nc-'));
  t.teardown(() => execFileSync('rm', ['-rf', root]));
  const victim = path.join(root, 'victim');
  mkdirSync(victim, { mode: 0o755 });
  const files = Array.from({ length: 50 }, (_, count) => path.join(victim, `${count}`));
  for (const file of files) writeFileSync(file, '');
  for (let round = 0; round < 3; round++) {
    const home = path.join(root, `home-${round}`);
    const own = path.join(home, 'own');
    mkdirSync(own, { recursive: true, mode: 0o700 });
    chownSync(own, NOBODY, NOBODY);
    chmodSync(root, 0o755);
    const options = { uid: NOBODY, gid: NOBODY, cwd: own };
    const child = spawn(process.execPath, ['-e', SWAP, victim], options);
    const exited = eventOf(child, 'exit');
    await within(eventOf(child.stdout, 'data'), 'the first link');
    removeDirectory(home);
    await exited;
    t.notOk(existsSync(home));
  }
  t.same(
    files.filter((file) => !existsSync(file)),
    [],
  );
});
