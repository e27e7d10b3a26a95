/** `serve`: a directory as an app of its own; and the scripts for shells: bash completes with them here for real. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { commands } from '../../../src/cli/commands.js';
import { commandWith } from '../../cli/fake-context.js';
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

const BIN = fileURLToPath(new URL('../../../bin/nodecluster.js', import.meta.url));

async function scriptOf(shell) {
  const { printed, run } = await commandWith(`completion ${shell}`);
  await run();
  return printed[0];
}

async function bashIn(t, apps) {
  const home = join(t.testdir(), 'home');
  mkdirSync(home, { mode: 0o700 });
  const desired = { format: 1, apps: apps.map((name) => ({ spec: { name } })) };
  writeFileSync(join(home, 'desired.json'), JSON.stringify(desired));
  const script = await scriptOf('bash');
  return (...words) => {
    const program = `
      nodecluster() { '${process.execPath}' '${BIN}' "$@"; }
      ${script}
      COMP_WORDS=(nodecluster "$@"); COMP_CWORD=$#
      _nodecluster
      printf '%s\n' "\${COMPREPLY[@]}"
      complete -p nodecluster >/dev/null`;
    const env = { PATH: process.env.PATH, NODECLUSTER_HOME: home };
    const args = ['--norc', '-c', program, 'bash', ...words];
    const { status, stdout, stderr } = spawnSync('bash', args, { env, encoding: 'utf8' });
    if (status !== 0 || stderr !== '') throw new Error(`${status}: ${stderr}`);
    return stdout.split('\n').filter(Boolean);
  };
}

t.test('bash completes commands, options and the names of apps', async (t) => {
  const complete = await bashIn(t, ['api', 'api-2', 'web']);
  t.same(complete('resta'), ['restart']);
  t.ok(complete('').includes('metrics'));
  t.same(complete('reload', 'a'), ['api', 'api-2']);
  t.same(complete('reload', '--on'), ['--only', '--on-failure']);
  t.same(complete('del', 'web', '--js'), ['--json']);
  t.same(complete('completion', 'z'), ['zsh']);
  t.same(complete('help', 'resta'), ['restart']);
  t.same(complete('start', 'app.js', '--exec-mode', ''), ['cluster', 'fork']);
  t.same(complete('start', '--exec-mode', '=', 'f', 'app.js'), [], 'what is typed is app.js');
  t.same(complete('start', '--exec-mode', '='), ['cluster', 'fork']);
  t.same(complete('start', '-k', ''), [], 'apps are no value of an option');
  t.same(complete('start', 'app.js', '--', 'a'), [], 'what goes to the program is its own');
});

t.test('every command and every option is known', async (t) => {
  const words = async (...typed) => {
    const { printed, run } = await commandWith(['completion', 'words', '--', ...typed].join(' '));
    await run();
    return (printed[0] ?? '').split('\n').map((line) => line.split('\t')[0]);
  };
  const missing = [];
  const first = await words('');
  for (const { name, aliases, load } of commands) {
    const { command } = await load();
    missing.push(...[name, ...aliases].filter((word) => !first.includes(word)));
    const flags = await words(name, '-');
    const options = command.options.map(({ flags }) => /--[\w-]+/.exec(flags)[0]);
    missing.push(...options.filter((long) => !flags.includes(long)).map((long) => name + long));
  }
  t.same(missing, []);
});

for (const shell of ['bash', 'zsh']) {
  t.test(`${shell} accepts the script`, async (t) => {
    const found = spawnSync(shell, ['--version'], { encoding: 'utf8' });
    if (found.status !== 0) return t.skip(`no ${shell} here`);
    const file = join(t.testdir(), 'script');
    writeFileSync(file, await scriptOf(shell));
    const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    t.same({ status, stderr }, { status: 0, stderr: '' });
  });
}

t.test('another shell', async (t) => {
  const { run } = await commandWith('completion install');
  await t.rejects(run(), {
    code: 'E_USAGE',
    message: /"install" is not one of bash, zsh/,
    hint: /eval "\$\(nodecluster completion bash\)".*~\/\.bashrc/,
  });
});
