/** What a browser gets: all of the page, what that imports, and nothing else. */
import t from 'tap';
import { bundlePage } from '../../../scripts/bundle-page.js';
import { readAssets } from '../../../src/clients/web/page-files.js';
import { projectFiles } from '../../support/sources.js';

const PAGE = 'src/clients/web/page/';
const { inputs } = bundlePage();

t.test('every file of the page is loaded by it', async (t) => {
  const own = projectFiles().filter((path) => path.startsWith(PAGE) && /\.(js|css)$/.test(path));
  t.same(
    own.filter((path) => !inputs.includes(path)),
    [],
  );
});

t.test('no package is loaded but those that draw', async (t) => {
  const packages = inputs.flatMap((path) => /^node_modules\/([^/]+)/.exec(path)?.[1] ?? []);
  t.same([...new Set(packages)].sort(), ['htm', 'preact', 'uplot']);
});

t.test('a browser gets three files', async (t) => {
  const assets = await readAssets();
  t.same([...assets.keys()], ['index.html', 'bundle.css', 'bundle.js']);
  for (const [name, { body }] of assets) t.ok(body.length > 0, name);
});
