/** The copy of the package that a running tree is launched from. */
import t from 'tap';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { copyPackage } from '../../../../src/shared/package/copy.js';
import { PACKAGE_ROOT } from '../../../../src/shared/package/root.js';

const MODULE = path.join(PACKAGE_ROOT, 'src/shared/package/copy.js');
/** Loads the copy, as a daemon does, while others still make theirs. */
const MAKE_AND_LOAD = `import(process.argv[1]).then(({ copyPackage }) => {
  const copy = copyPackage(process.argv[2]);
  process.stdout.write(copy);
  return import(copy + '/src/daemon/run.js');
});`;

t.test('processes that make the same copy at once share a complete one', async (t) => {
  const versions = t.testdir();
  const results = await Promise.all(Array.from({ length: 4 }, () => makeCopy(versions)));
  t.strictSame(new Set(results.map(({ code }) => code)), new Set([0]));
  t.equal(new Set(results.map(({ copy }) => copy)).size, 1);
  t.strictSame(
    readdirSync(versions).map((name) => path.join(versions, name)),
    [results[0].copy],
    'nothing else is left',
  );
});

t.test('a package that was edited has another copy, and a damaged copy is repaired', async (t) => {
  const root = path.join(t.testdir(), 'package');
  const versions = path.join(root, '../versions');
  cpSync(path.join(PACKAGE_ROOT, 'src'), path.join(root, 'src'), { recursive: true });
  cpSync(path.join(PACKAGE_ROOT, 'package.json'), path.join(root, 'package.json'));
  symlinkSync(path.join(PACKAGE_ROOT, 'node_modules'), path.join(root, 'node_modules'));
  const first = copyPackage(versions, root);
  t.equal(copyPackage(versions, root), first);
  const file = 'src/shared/units.js';
  const original = readFileSync(path.join(root, file), 'utf8');
  writeFileSync(path.join(first, file), '');
  rmSync(path.join(first, 'src/agent'), { recursive: true });
  t.equal(copyPackage(versions, root), first);
  t.equal(readFileSync(path.join(first, file), 'utf8'), original, 'as after a power failure');
  t.ok(existsSync(path.join(first, 'src/agent/main.cjs')));
  writeFileSync(path.join(root, file), original.toUpperCase());
  utimesSync(path.join(root, file), 1, 1);
  t.not(copyPackage(versions, root), first, 'its file has the same size');
  t.equal(readFileSync(path.join(first, file), 'utf8'), original);
});

const skip = process.platform === 'linux' ? false : 'needs a file that is never read twice alike';

t.test('a package that changes meanwhile is used as it is', { skip }, async (t) => {
  const root = path.join(t.testdir(), 'package');
  for (const room of readdirSync(path.join(PACKAGE_ROOT, 'src'))) {
    mkdirSync(path.join(root, 'src', room), { recursive: true });
  }
  writeFileSync(path.join(root, 'package.json'), '{}');
  symlinkSync(path.join(PACKAGE_ROOT, 'node_modules'), path.join(root, 'node_modules'));
  symlinkSync('/proc/uptime', path.join(root, 'src/shared/changes.js'));
  const versions = path.join(root, 'versions');
  t.equal(copyPackage(versions, root), root);
  t.equal(readdirSync(versions).length, 1, 'not copied again and again');
});

t.test('where none can be made, the package itself is used', (t) => {
  const versions = path.join(t.testdir({ versions: 'a file' }), 'versions');
  t.equal(copyPackage(versions), PACKAGE_ROOT);
  t.end();
});

async function makeCopy(versions) {
  const child = spawn(process.execPath, ['-e', MAKE_AND_LOAD, MODULE, versions]);
  let copy = '';
  child.stdout.on('data', (data) => (copy += data));
  const [code] = await once(child, 'close');
  return { code, copy };
}
