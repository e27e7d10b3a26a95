/** What package.json names is used, and what is used is named. */
import t from 'tap';
import { importsOf, projectFiles, read, shippedSources } from '../support/sources.js';

const manifest = JSON.parse(read('package.json'));
const declared = Object.keys(manifest.dependencies);
const developed = Object.keys(manifest.devDependencies);
/** Started by a script or read by a tool, never imported. */
const TOOLS = ['eslint', 'prettier', 'typescript', '@types/node', '@types/pidusage'];

/** @param {string[]} paths */
const packagesIn = (paths) =>
  new Set(
    paths
      .flatMap(importsOf)
      .filter(({ kind }) => kind === 'package')
      .map(({ to }) => to),
  );

t.test('what is shipped imports its dependencies, and all of them', async (t) => {
  t.same([...packagesIn(shippedSources())].sort(), declared.sort());
});

t.test('the rest of the project imports nothing that is not declared', async (t) => {
  const rest = projectFiles().filter(
    (path) => /\.[cm]?js$/.test(path) && !/^(bin|src)\//.test(path),
  );
  const used = packagesIn(rest);
  const known = [...declared, ...developed, manifest.name];
  t.same(
    [...used].filter((name) => !known.includes(name)),
    [],
  );
  t.same(
    developed.filter((name) => !used.has(name) && !TOOLS.includes(name)),
    [],
  );
});

t.test('what is published exists', async (t) => {
  const files = projectFiles();
  for (const path of [...manifest.files, ...Object.values(manifest.bin)]) {
    t.ok(
      files.some((file) => file === path || file.startsWith(`${path}/`)),
      path,
    );
  }
});

t.test('every script that package.json starts exists', async (t) => {
  const files = projectFiles();
  const started = Object.values(manifest.scripts)
    .flatMap((script) => script.split(/\s+/))
    .filter((word) => /^[\w./-]+\.c?js$/.test(word));
  t.same(
    started.filter((path) => !files.includes(path)),
    [],
  );
});
