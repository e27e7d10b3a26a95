/** `serve`: a directory as an app of its own. */
import t from 'tap';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHome } from '../../../support/home.js';
import { freePort } from '../../../support/ports.js';

t.test('a directory is an app that is reloaded and deleted like any other', async (t) => {
  const { root, ok, run, list } = testHome(t);
  const port = String(await freePort());
  const site = join(root, 'dist');
  mkdirSync(site);
  writeFileSync(join(site, 'index.html'), 'one');
  const page = async () => (await fetch(`http://127.0.0.1:${port}/`)).text();

  await ok(['serve', 'dist', port, '-i', '2', '--spa']);
  t.match((await list()).apps, [{ name: `serve-${port}`, mode: 'cluster', instances: 2 }]);
  t.equal(await page(), 'one');
  writeFileSync(join(site, 'index.html'), 'two');
  t.equal(await page(), 'two', 'files are read at each request');
  await ok(['reload', `serve-${port}`]);
  t.equal(await page(), 'two');

  t.match(await run(['serve', 'nowhere']), { code: 4, stderr: /there is no directory .*nowhere/ });
  t.match(await run(['serve', 'dist', 'http']), { code: 2, stderr: /'http' is not a port/ });
  const half = await run(['serve', 'dist', '--basic-auth-username', 'ann']);
  t.match(half, { code: 2, stderr: /belong together/ });
});
