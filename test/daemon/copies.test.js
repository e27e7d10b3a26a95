/** Copies of the package are restored from memory. */
import t from 'tap';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { KeptCopies } from '../../src/daemon/copies.js';

/** @param {import('tap').Test} t */
async function keptCopy(t) {
  const versions = t.testdir({ '1.0.0-a': { 'package.json': '{}', src: { 'main.js': 'go();' } } });
  const root = path.join(versions, '1.0.0-a');
  const copies = new KeptCopies(versions);
  await copies.keep([root]);
  return { copies, root, versions };
}

t.test('what is lost as soon as a copy is kept is restored', async (t) => {
  const { copies, root, versions } = await keptCopy(t);
  rmSync(versions, { recursive: true });
  t.equal(await copies.restore(), 2);
  t.equal(readFileSync(path.join(root, 'src/main.js'), 'utf8'), 'go();');
  t.equal(await copies.restore(), 0);
});

t.test('what is changed then too', async (t) => {
  const { copies, root } = await keptCopy(t);
  appendFileSync(path.join(root, 'package.json'), '\n');
  t.equal(await copies.restore(), 1);
  t.equal(readFileSync(path.join(root, 'package.json'), 'utf8'), '{}');
});
