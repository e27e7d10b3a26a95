/** Copies of the package are restored from memory; those from which nothing runs are removed, and no other. */
import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { removeUnusedCopies } from '../../src/daemon/copies.js';
import { homePaths } from '../../src/shared/home.js';
import { copyPackage } from '../../src/shared/package/copy.js';

function start(t) {
  const paths = homePaths(t.testdir());
  const { versions } = paths;
  for (const name of ['used', 'unused', 'unused.1234.tmp']) {
    fs.mkdirSync(join(versions, name, 'src'), { recursive: true });
    fs.utimesSync(join(versions, name), 1, 1);
  }
  const left = () => fs.readdirSync(versions).sort();
  const ofUsed = { record: { root: join(versions, 'used') } };
  const remove = (...primaries) => {
    const all = () => [ofUsed, ...primaries];
    removeUnusedCopies({ paths, table: { primaries: { all } } });
  };
  return { versions, left, remove };
}

t.test('what runs keeps its copy, and so does what is about to run', async (t) => {
  const { versions, left, remove } = start(t);
  const launched = copyPackage(versions);
  fs.utimesSync(launched, 1, 1);
  t.equal(copyPackage(versions), launched, 'a command of another version starts its daemon');
  remove();
  t.same(left(), [basename(launched), 'used']);
  fs.utimesSync(launched, 1, 1);
  remove();
  t.same(left(), ['used']);
});

t.test('nothing is removed while it is not clear what runs', async (t) => {
  const { left, remove } = start(t);
  const all = left();
  remove({ record: {} });
  t.same(left(), all, 'one that was found by its socket');
});
