/** What `start` and the other commands accept in place of a name. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { testHome } from '../../support/home.js';

t.test('directories, command lines and paths', async (t) => {
  const { root, ok, run, list } = testHome(t);
  const write = (/** @type {string} */ path, /** @type {string} */ text) =>
    writeFileSync(join(root, path), text);
  mkdirSync(join(root, 'shop'));
  write('shop/server.js', 'setInterval(() => {}, 1000);');
  write('shop/package.json', '{"name": "@acme/store", "main": "server.js"}');
  write('loop.js', 'setInterval(() => {}, 1000);');
  const fast = ['--min-uptime', '100'];

  const nothing = await run(['start'], { cwd: join(root, 'shop') });
  t.match(nothing, { code: 2, stderr: /nodecluster start \./ });
  await ok(['start', './shop', ...fast]);
  await ok(['start', 'node --no-warnings loop.js --x', ...fast]);
  await ok(['start', 'loop.js', '--name', 'loop.js', ...fast]);
  const inShop = { cwd: join(root, 'shop') };
  t.match(await run(['start', '.', '-i', '2', ...fast], inShop), {
    code: 6,
    stderr: /--name <other>/,
  });
  await ok(['start', '.', ...fast], inShop);
  const { apps } = JSON.parse((await ok(['describe', 'all', '--json'])).stdout);
  t.match(apps, [
    { name: 'store', mode: 'cluster', spec: { cwd: inShop.cwd, args: [] } },
    { name: 'loop', mode: 'cluster', spec: { args: ['--x'], nodeArgs: ['--no-warnings'] } },
    { name: 'loop.js' },
  ]);

  await ok(['stop', 'server.js'], inShop);
  await ok(['stop', 'loop.js']);
  const statuses = async () =>
    (await list()).apps.map((/** @type {{status: string}} */ { status }) => status);
  t.same(await statuses(), ['stopped', 'online', 'stopped'], 'a name wins over a path');
  await ok(['restart', './loop.js', '--kill-timeout', '2s']);
  t.same(await statuses(), ['stopped', 'online', 'online'], 'a path means each app that runs it');
  t.match(await run(['delete', './gone.js']), { code: 4, stderr: /E_APP_UNKNOWN/ });
  const npm = await run(['start', 'npm', 'start']);
  t.match(npm, { code: 4, stderr: /nodecluster start "npm start"/ });
  await ok(['delete', join(root, 'shop/server.js')]);
  t.equal((await list()).apps.length, 2);
});
