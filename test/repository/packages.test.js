/** package.json declares every package that is used, and no other. */
import t from 'tap';
import { posix } from 'node:path';
import { importsOf, projectFiles, read, shippedSources } from '../support/sources.js';

const manifest = JSON.parse(read('package.json'));
const declared = Object.keys(manifest.dependencies);
const developed = Object.keys(manifest.devDependencies);
/** Run by a script or read by a tool, never imported. */
const TOOLS = ['eslint', 'prettier', 'typescript', '@types/node', '@types/pidusage', 'axe-core'];

/** @param {string[]} paths */
const packagesIn = (paths) =>
  new Set(
    paths
      .flatMap(importsOf)
      .filter(({ kind }) => kind === 'package')
      .map(({ to }) => to),
  );

t.test('the shipped sources import exactly the declared dependencies', async (t) => {
  t.same([...packagesIn(shippedSources())].sort(), declared.sort());
});

t.test('all other files import only declared packages', async (t) => {
  const rest = projectFiles().filter(
    (path) => /\.[cm]?js$/.test(path) && !/^(bin|src)\//.test(path),
  );
  const isBench = (/** @type {string} */ path) => path.startsWith('bench/');
  const used = packagesIn(rest.filter((path) => !isBench(path)));
  const usedByBench = packagesIn(rest.filter(isBench));
  const known = [...declared, ...developed, manifest.name];
  const ofBench = Object.keys(JSON.parse(read('bench/package.json')).dependencies);
  t.same(
    [...used].filter((name) => !known.includes(name)),
    [],
  );
  t.same(
    [...usedByBench].filter((name) => ![...known, ...ofBench].includes(name)),
    [],
  );
  t.same(
    developed.filter((name) => !used.has(name) && !usedByBench.has(name) && !TOOLS.includes(name)),
    [],
  );
});

t.test('every link of the README leads to a file that is published', async (t) => {
  const links = [...read('README.md').matchAll(/\]:? ?\(?((?:\w|docs\/)[\w./-]+)/g)].map(
    ([, to]) => to,
  );
  const published = [...manifest.files, 'LICENSE', 'README.md'];
  t.ok(links.length > 30);
  t.same(
    links.filter((to) => !published.some((path) => to === path || to.startsWith(`${path}/`))),
    [],
  );
});

t.test('every published file exists', async (t) => {
  const files = projectFiles();
  for (const path of [...manifest.files, ...Object.values(manifest.bin)]) {
    t.ok(
      files.some((file) => file === path || file.startsWith(`${path}/`)),
      path,
    );
  }
});

t.test('what is started by its path is a file of its own in the published package', async (t) => {
  const build = read('scripts/build.js');
  const started = shippedSources().flatMap((path) => {
    const urls = read(path).matchAll(/new URL\('([^']+\.c?js)', import\.meta\.url\)/g);
    return [...urls].map(([, to]) => posix.join(posix.dirname(path), to));
  });
  t.ok(started.includes('src/primary/main.js'));
  t.same(
    started.filter((path) => !/\/main\.c?js$/.test(path) && !build.includes(`'${path}'`)),
    [],
  );
});

t.test('every script in package.json exists', async (t) => {
  const files = projectFiles();
  const started = Object.values(manifest.scripts)
    .flatMap((script) => script.split(/\s+/))
    .filter((word) => /^[\w./-]+\.c?js$/.test(word));
  t.same(
    started.filter((path) => !files.includes(path)),
    [],
  );
});
