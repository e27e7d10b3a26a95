import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { removeDirectory } from '../../../src/shared/files/remove-directory.js';
import { eventOf, within } from '../../support/until.js';

const NOBODY = 65534;
const skip = process.getuid?.() === 0 ? false : 'only root can remove what another user has';

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
  execFileSync('ln', ['-s', join(root, 'kept'), join(root, 'gone', 'below', 'link')]);
  removeDirectory(join(root, 'gone'));
  t.notOk(existsSync(join(root, 'gone')));
  t.ok(existsSync(join(root, 'kept', 'file')));
});

t.test('a user who swaps directories for links', { skip }, async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'nc-'));
  t.teardown(() => execFileSync('rm', ['-rf', root]));
  const victim = join(root, 'victim');
  mkdirSync(victim, { mode: 0o755 });
  const files = Array.from({ length: 50 }, (_, count) => join(victim, `${count}`));
  for (const file of files) writeFileSync(file, '');
  for (let round = 0; round < 3; round++) {
    const home = join(root, `home-${round}`);
    const own = join(home, 'own');
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
