/** `serve`: a directory as an app of its own; what its program gives out, and what it never does. */
import t from 'tap';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testHome } from '../../support/home.js';
import { answerOf } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { plainEnv, spawnClean } from '../../support/spawn-clean.js';
import { within } from '../../support/until.js';

const PROGRAM = fileURLToPath(new URL('../../../src/clients/serve/main.js', import.meta.url));

async function serving(t, { files = {}, args = [], env = {} } = {}) {
  const root = t.testdir({
    'secret.txt': 'secret',
    'site-old': { 'secret.txt': 'secret' },
    site: {
      'index.html': '<h1>home',
      'app.js': 'run()',
      '.env': 'KEY=secret',
      '.git': { config: 'secret' },
      docs: { 'index.html': '<h1>docs' },
      ...files,
    },
  });
  const port = await freePort();
  const child = spawnClean(process.execPath, [PROGRAM, join(root, 'site'), String(port), ...args], {
    env: { ...plainEnv(root), ...env },
  });
  t.teardown(() => child.kill('SIGKILL'));
  await within(new Promise((resolve) => child.stdout.once('data', resolve)), 'it to listen');
  /** The path is sent as it is: `fetch` would resolve its dots. */
  return (path, options = {}) => answerOf({ port, path, ...options });
}

t.test('files, and nothing else', async (t) => {
  const get = await serving(t);
  t.match(await get('/'), {
    status: 200,
    body: '<h1>home',
    headers: { 'content-type': /^text\/html/, 'x-content-type-options': 'nosniff' },
  });
  t.match(await get('/app.js?v=2'), { status: 200, headers: { 'content-type': /javascript/ } });
  t.match(await get('/docs/'), { status: 200, body: '<h1>docs' });
  t.match(await get('/docs'), { status: 301, headers: { location: '/docs/' } });
  t.match(await get('/app.js', { method: 'HEAD' }), { status: 200, body: '' });
  t.match(await get('/', { method: 'POST' }), { status: 405, headers: { allow: 'GET, HEAD' } });
  t.match(await get('/missing'), { status: 404 });
  const { headers } = await get('/app.js');
  const cached = { 'If-None-Match': headers.etag };
  t.match(await get('/app.js', { headers: cached }), { status: 304, body: '' });
  t.match(await get('/app.js', { headers: { Range: 'bytes=0-2' } }), { status: 206, body: 'run' });

  const hostile = [
    ...['/../secret.txt', '/..%2fsecret.txt', '/docs/../../secret.txt', '/..%5csecret.txt'],
    ...['/../site-old/secret.txt', '//../secret.txt', '/.env', '/%2eenv', '/docs/../.env'],
    ...['/.git/config', '/app.js%00.html', '/%ff', '/%', '*'],
  ];
  for (const path of hostile) {
    const { status, body } = await get(path);
    t.ok(status >= 400 && status < 500, `${path}: ${status}`);
    t.notMatch(body, 'secret', path);
  }
  t.match(await get('//elsewhere.example/docs'), { status: 404 });
});

t.test('404.html in place of a missing file', async (t) => {
  const get = await serving(t, { files: { '404.html': '<h1>lost' } });
  t.match(await get('/missing.js'), { status: 404, body: '<h1>lost' });
  const headers = { range: 'bytes=0-1' };
  t.match(await get('/missing.js', { headers }), { status: 404, body: '<h1>lost' });
  t.match(await get('/.env'), { status: 404, body: '<h1>lost' });
});

t.test('--spa answers what is not a file with index.html', async (t) => {
  const get = await serving(t, { args: ['--spa'] });
  t.match(await get('/users/1'), { status: 200, body: '<h1>home' });
  t.match(await get('/app.js'), { status: 200, body: 'run()' });
  t.match(await get('/missing.js'), { status: 404 });
  const headers = { Accept: 'text/html,*/*' };
  t.match(await get('/users/john.doe', { headers }), { status: 200, body: '<h1>home' });
  t.match(await get('/.env'), { status: 404 });
  t.match(await get('/../secret.txt'), { status: 403 });
});

t.test('a login', async (t) => {
  const env = { SERVE_USERNAME: 'ann', SERVE_PASSWORD: 'pässword' };
  const get = await serving(t, { env });
  t.match(await get('/'), { status: 401, headers: { 'www-authenticate': /^Basic/ } });
  const login = (text) => ({
    headers: { Authorization: `Basic ${Buffer.from(text).toString('base64')}` },
  });
  t.match(await get('/', login('ann:wrong')), { status: 401 });
  t.match(await get('/', login('ann:pässword')), { status: 200, body: '<h1>home' });
});

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
