/** What a browser gets: all of the page, what that imports, and nothing else. */
import t from 'tap';
import { existsSync } from 'node:fs';
import { pageFiles, readAssets } from '../../../src/clients/web/page-files.js';
import { importsOf, projectFiles } from '../../support/sources.js';

const PAGE = 'src/clients/web/page/';

t.test('every file of the page is loaded by it', async (t) => {
  const own = projectFiles().filter((path) => path.startsWith(PAGE) && !path.endsWith('.d.ts'));
  const served = [...pageFiles().keys()].map((name) =>
    name === 'index.html' ? `${PAGE}${name}` : `src/${name}`,
  );
  t.same(
    own.filter((path) => !served.includes(path)),
    [],
  );
});

t.test('every file exists and has a type', async (t) => {
  for (const [name, file] of pageFiles()) t.ok(existsSync(file), name);
  for (const [name, { type }] of readAssets()) t.type(type, 'string', name);
});

t.test('every package that it imports is in the import map', async (t) => {
  const imported = [...pageFiles().keys()]
    .filter((name) => name.endsWith('.js') && !name.startsWith('packages/'))
    .flatMap((name) => importsOf(`src/${name}`));
  const packages = imported.filter(({ kind }) => kind !== 'file').map(({ to }) => to);
  t.same([...new Set(packages)].sort(), ['htm', 'preact', 'uplot']);
  const ofPackages = [...pageFiles().keys()].filter((name) => name.startsWith('packages/'));
  t.same(ofPackages.sort(), [
    'packages/htm/dist/htm.mjs',
    'packages/preact/dist/preact.mjs',
    'packages/preact/hooks/dist/hooks.mjs',
    'packages/uplot/dist/uPlot.iife.min.js',
    'packages/uplot/dist/uPlot.min.css',
  ]);
});
