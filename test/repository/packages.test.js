/** package.json declares every package that is used, and no other. */
import t from 'tap';
import { posix } from 'node:path';
import { packageFaults, reasonsIn } from '../../scripts/release/package-faults.js';
import { importsOf, projectFiles, read, shippedSources } from '../support/sources.js';

const manifest = JSON.parse(read('package.json'));
const declared = Object.keys(manifest.dependencies);
const developed = Object.keys(manifest.devDependencies);
/** Run by a script or read by a tool, never imported. */
const TOOLS = ['eslint', 'prettier', 'typescript', '@types/node', '@types/pidusage', 'axe-core'];

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
  const isBench = (path) => path.startsWith('bench/');
  const used = packagesIn(rest.filter((path) => !isBench(path)));
  const usedByBench = packagesIn(rest.filter(isBench));
  const known = [...declared, ...developed, manifest.name];
  const ofBench = Object.keys(JSON.parse(read('bench/package.json')).dependencies);
  const wrong = [...used].filter((name) => !known.includes(name));
  t.same(wrong, []);
  const found = [...usedByBench].filter((name) => ![...known, ...ofBench].includes(name));
  t.same(found, []);
  t.same(
    developed.filter((name) => !used.has(name) && !usedByBench.has(name) && !TOOLS.includes(name)),
    [],
  );
});

t.test('docs/maintaining.md says of each package what it is for', async (t) => {
  const rows = Object.keys(reasonsIn(read('docs/maintaining.md')));
  t.same(rows.sort(), [...declared, ...developed].sort());
});

t.test('a package that is behind needs a reason', async (t) => {
  const page = ['| `old`  | colours | 6 needs Node 22 |', '| `@a/b` | tables  |  |'].join('\n');
  const behind = { current: '5.6.0', wanted: '5.6.2', latest: '6.0.1' };
  const within = { current: '5.6.0', wanted: '5.6.2', latest: '5.6.2' };
  const cases = [
    [{}, []],
    [{ old: behind }, []],
    [{ '@a/b': within }, []],
    [{ '@a/b': behind, old: behind }, ['@a/b']],
    [{ unnamed: behind }, ['unnamed']],
    [{ error: { code: 'ENOTFOUND', summary: 'no network' } }, ['npm']],
  ];
  for (const [outdated, at] of cases) {
    const faults = packageFaults(outdated, page);
    const found = faults.map((fault) => fault.split(' ')[0]);
    t.same(found, at, JSON.stringify(outdated));
  }
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
  const wrong = started.filter((path) => !files.includes(path));
  t.same(wrong, []);
});
