import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { LogFile } from '../../../src/primary/log/log-file.js';

t.test('whole chunks, in order, appended to a private file', async (t) => {
  const path = join(t.testdir({ 'a.log': 'before\n' }), 'a.log');
  const file = new LogFile(path);
  for (let line = 0; line < 1000; line++) file.write(Buffer.from(`${line}\n`));
  await file.flushed();
  const expected = Array.from({ length: 1000 }, (_, line) => `${line}\n`).join('');
  t.equal(readFileSync(path, 'utf8'), `before\n${expected}`);
  const fresh = new LogFile(`${path}.new`);
  fresh.write(Buffer.from('x\n'));
  await fresh.flushed();
  t.equal(statSync(`${path}.new`).mode & 0o777, 0o600);
});

t.test('what waits is bounded: writers pause and are called again', async (t) => {
  const file = new LogFile(join(t.testdir(), 'a.log'));
  const mebibyte = Buffer.alloc(1024 * 1024, 'x');
  t.equal(file.write(Buffer.from('small\n')), true);
  t.equal(file.write(mebibyte), false);
  await new Promise((resolve) => file.whenDrained(() => resolve()));
  t.equal(file.write(Buffer.from('small\n')), true);
  await file.flushed();
});

t.test('a file that cannot be written loses lines, counted and declared', async (t) => {
  const dir = t.testdir();
  const path = join(dir, 'missing', 'a.log');
  const file = new LogFile(path);
  file.write(Buffer.from('lost\n'));
  await file.flushed();
  t.equal(file.droppedBytes, 5);
  mkdirSync(join(dir, 'missing'));
  file.write(Buffer.from('kept\n'));
  await file.flushed();
  t.equal(readFileSync(path, 'utf8'), '[nodecluster] 5 bytes of log were lost here\nkept\n');
  t.equal(file.droppedBytes, 5);
});

t.test('a full disk', { skip: !canMount() && 'mounts a tmpfs: needs root' }, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'nc-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', dir]);
  t.teardown(() => {
    execFileSync('umount', ['--lazy', dir]); // the file is still open
    rmdirSync(dir);
  });
  const file = new LogFile(join(dir, 'a.log'));
  const line = Buffer.from(`${'x'.repeat(99)}\n`);
  for (let count = 0; count < 2000; count++) file.write(line);
  await file.flushed();
  const { size } = statSync(join(dir, 'a.log'));
  t.equal(size + file.droppedBytes, 200_000);
  t.ok(file.droppedBytes > 100_000);
});

function canMount() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
