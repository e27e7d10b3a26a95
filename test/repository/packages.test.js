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

const files = projectFiles();

function packagesIn(paths) {
  const imports = paths.flatMap(importsOf).filter(({ kind }) => kind === 'package');
  return new Set(imports.map(({ to }) => to));
}

t.test('the shipped sources import exactly the declared dependencies', async (t) => {
  t.same([...packagesIn(shippedSources())].sort(), declared.sort());
});

t.test('all other files import only declared packages', async (t) => {
  const rest = files.filter((path) => /^(?!bin\/|src\/).*\.[cm]?js$/.test(path));
  const isBench = (path) => path.startsWith('bench/');
  const used = packagesIn(rest.filter((path) => !isBench(path)));
  const usedByBench = packagesIn(rest.filter(isBench));
  const known = [...declared, ...developed, manifest.name];
  const ofBench = Object.keys(JSON.parse(read('bench/package.json')).dependencies);
  const undeclared = [...used].filter((name) => !known.includes(name));
  t.same(undeclared, []);
  const ofNoBench = [...usedByBench].filter((name) => ![...known, ...ofBench].includes(name));
  t.same(ofNoBench, []);
  const allUsed = [...used, ...usedByBench, ...TOOLS];
  const unused = developed.filter((name) => !allUsed.includes(name));
  t.same(unused, []);
});

t.test('docs/maintaining.md says of each package what it is for', async (t) => {
  const rows = Object.keys(reasonsIn(read('docs/maintaining.md')));
  t.same(rows.sort(), [...declared, ...developed].sort());
});

t.test('a package that is behind needs a reason', async (t) => {
  const page = ['- `old`: colours. Behind: 6 needs Node 22', '- `@a/b`: tables'].join('\n');
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

const isIn = (file, path) => file === path || file.startsWith(`${path}/`);

t.test('every link of the README leads to a file that is published', async (t) => {
  const links = read('README.md').matchAll(/\]:? ?\(?((?:\w|docs\/)[\w./-]+)/g);
  const targets = [...links].map(([, to]) => to);
  const published = [...manifest.files, 'LICENSE', 'README.md'];
  t.ok(targets.length > 15);
  const missing = targets.filter((to) => !published.some((path) => isIn(to, path)));
  t.same(missing, []);
});

t.test('every published file exists', async (t) => {
  const published = [...manifest.files, ...Object.values(manifest.bin)];
  const missing = published.filter((path) => !files.some((file) => isIn(file, path)));
  t.same(missing, []);
});

t.test('what is started by its path is a file of its own in the published package', async (t) => {
  const build = read('scripts/build.js');
  const started = shippedSources().flatMap((path) => {
    const urls = read(path).matchAll(/new URL\('([^']+\.c?js)', import\.meta\.url\)/g);
    return [...urls].map(([, to]) => posix.join(posix.dirname(path), to));
  });
  t.ok(started.includes('src/primary/main.js'));
  const others = started.filter((path) => !/\/main\.c?js$/.test(path));
  const missing = others.filter((path) => !build.includes(`'${path}'`));
  t.same(missing, []);
});

t.test('every script in package.json exists', async (t) => {
  const started = Object.values(manifest.scripts)
    .flatMap((script) => script.split(/\s+/))
    .filter((word) => /^[\w./-]+\.c?js$/.test(word));
  const wrong = started.filter((path) => !files.includes(path));
  t.same(wrong, []);
});
