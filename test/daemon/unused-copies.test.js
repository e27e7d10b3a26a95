/** Copies of the package from which nothing runs are removed, and no other. */
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { removeUnusedCopies } from '../../src/daemon/copies.js';
import { homePaths } from '../../src/shared/home.js';
import { copyPackage } from '../../src/shared/package/copy.js';
import { identify } from '../../src/shared/processes/identity.js';

/** @param {any} t */
function start(t) {
  const paths = homePaths(t.testdir({ apps: { api: {}, old: {} } }));
  const { versions } = paths;
  for (const name of ['used', 'next', 'unused', `new.${process.pid}.tmp`, 'left.999999999.tmp']) {
    mkdirSync(join(versions, name, 'src'), { recursive: true });
    utimesSync(join(versions, name), 1, 1);
  }
  const record = (/** @type {string} */ file, /** @type {object} */ values) =>
    writeFileSync(file, JSON.stringify({ ...identify(process.pid), socket: '/s', ...values }));
  record(paths.app('api').record, { root: join(versions, 'used') });
  record(paths.successor('api').record, { root: join(versions, 'next') });
  record(paths.app('old').record, { root: join(versions, 'unused'), startTime: '1' });
  const left = () => readdirSync(versions).sort();
  const remove = (/** @type {any[]} */ links = []) =>
    removeUnusedCopies(
      /** @type {any} */ ({ paths, table: { all: () => links.map((link) => ({ link })) } }),
    );
  return { paths, left, remove };
}

t.test('what runs keeps its copy, and so does what is about to run', async (t) => {
  const { paths, left, remove } = start(t);
  const launched = copyPackage(paths.versions);
  utimesSync(launched, 1, 1);
  t.equal(copyPackage(paths.versions), launched, 'a command of another version starts its daemon');
  remove();
  const name = launched.slice(paths.versions.length + 1);
  t.same(left(), [name, `new.${process.pid}.tmp`, 'next', 'used'].sort());
  utimesSync(launched, 1, 1);
  remove();
  t.notOk(left().includes(name));
});

t.test('nothing is removed while it is not clear what runs', async (t) => {
  const { paths, left, remove } = start(t);
  const all = left();
  remove([{ state: 'unknown', record: null }]);
  t.same(left(), all, 'a primary without a record');
  writeFileSync(paths.app('old').record, 'garbled');
  remove();
  t.same(left(), all, 'a damaged record');
  rmSync(paths.app('old').record);
  remove([{ state: 'connected', record: { root: join(paths.versions, 'used') } }]);
  t.notOk(left().includes('unused'));
});
