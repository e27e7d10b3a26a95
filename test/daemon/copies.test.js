/** Copies of the package are restored from memory. */
import t from 'tap';
import { readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { KeptCopies } from '../../src/daemon/copies.js';

t.test('what is lost as soon as a copy is kept is restored', async (t) => {
  const versions = t.testdir({ '1.0.0-a': { 'package.json': '{}', src: { 'main.js': 'go();' } } });
  const root = path.join(versions, '1.0.0-a');
  symlinkSync('/elsewhere', path.join(root, 'node_modules'));
  const copies = new KeptCopies(versions);
  await copies.keep([root]);
  rmSync(versions, { recursive: true });
  t.equal(await copies.restore(), 3);
  t.equal(readFileSync(path.join(root, 'src/main.js'), 'utf8'), 'go();');
  t.equal(readlinkSync(path.join(root, 'node_modules')), '/elsewhere');
  t.equal(await copies.restore(), 0);
});
