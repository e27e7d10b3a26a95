/** What is published is the same whoever builds it, and no bigger than expected. */
import t from 'tap';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pack } from '../../support/package/packed.js';
import { ROOT } from '../../support/sources.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

/** kB to which sizes are rounded up, so that few changes of the sources change the snapshot. */
const STEP = 50;

const directory = temporaryDirectory(t);
const [first, second] = ['first', 'in/another/place'].map((name) => {
  const place = join(directory, name);
  mkdirSync(place, { recursive: true });
  return pack(place);
});

t.test('two builds give the same tarball, byte for byte', async (t) => {
  t.ok(readFileSync(first.tarball).equals(readFileSync(second.tarball)));
});

t.test('number of files and unpacked size', async (t) => {
  /** sizes by directory */
  const places = {};
  for (const { path, size } of first.files) (places[placeOf(path)] ??= []).push(size);
  const rows = Object.keys(places)
    .sort()
    .map((place) => rowOf(place, places[place]));
  const total = rowOf(
    'all',
    first.files.map(({ size }) => size),
  );
  t.matchSnapshot([...rows, total].join('\n'), 'npx tap --snapshot accepts what has grown');
});

t.test('only what a user needs, without a directory of the machine that built it', async (t) => {
  const paths = first.files.map(({ path }) => path);
  const others = paths.filter((path) => !/^(bin|docs|man|packaging|src)\/|^[^/]+$/.test(path));
  t.same(others, []);
  for (const path of paths.filter((each) => /^(bin|src)\/.*\.c?js$/.test(each))) {
    t.notOk(readFileSync(join(directory, 'first/built', path), 'utf8').includes(ROOT), path);
  }
});

t.test('one package: npm installs no other and runs no script', async (t) => {
  const manifest = JSON.parse(readFileSync(join(directory, 'first/built/package.json'), 'utf8'));
  const keys = Object.keys(manifest).filter((key) => /scripts|dependencies|private/i.test(key));
  t.same(keys, []);
});

t.test('what the page loads is in it, with the licences', async (t) => {
  const published = first.files.map(({ path }) => path);
  for (const name of ['index.html', 'bundle.css', 'bundle.js']) {
    t.ok(published.includes(`src/clients/web/page/${name}`), name);
  }
  const licences = readFileSync(join(directory, 'first/built/THIRD-PARTY-LICENCES.md'), 'utf8');
  for (const name of ['htm', 'preact', 'uplot']) t.match(licences, `\n## ${name} `);
});

/** @returns its directory, and that of a room in src */
function placeOf(path) {
  const [, place = 'beside them'] = /^(src\/[^/]+|[^/]+)\//.exec(path) ?? [];
  return place;
}

function rowOf(place, sizes) {
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  return `${place}: ${sizes.length} files, up to ${Math.ceil(kilobytes / STEP) * STEP} kB`;
}
