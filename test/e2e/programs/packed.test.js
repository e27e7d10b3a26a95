/** What npm publishes: installed into an empty prefix, it does what the tour of the README does. */
import t from 'tap';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE, testHome, watched } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { installGlobally } from '../../support/package/packed.js';
import { freePort } from '../../support/ports.js';
import { ROOT, read } from '../../support/sources.js';
import { writeFiles } from '../../support/files.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';

t.test('the packed tarball, installed globally', async (t) => {
  const { root, env, home } = testHome(t);
  const port = await freePort();
  const server = read('docs/examples/hello.js');
  writeFiles(root, {
    'shop/app.js': server,
    'shop/package.json': '{"name":"shop","type":"module"}',
  });
  const installed = installGlobally(root);
  const options = { cwd: join(root, 'shop'), env: { ...env, PORT: String(port) } };
  /** @param {string[]} args */
  const run = (...args) =>
    watched(spawnClean(installed.command, args, options), args.join(' ')).ended;
  const appsNow = async () => JSON.parse((await run('ls', '--json')).stdout);
  const rootNow = async () => JSON.parse((await run('ping', '--json')).stdout).root;

  await t.test('its files', async (t) => {
    const paths = installed.files.map(({ path }) => path);
    const others = paths.filter((path) => !/^(bin|src|docs)\/|^[^/]+$/.test(path));
    t.same(others, [], 'only what a user needs');
    for (const path of paths.filter((each) => /^(bin|src)\/.*\.c?js$/.test(each))) {
      const code = readFileSync(join(installed.root, path), 'utf8');
      t.notOk(code.includes(ROOT), `${path} names no directory of the machine that built it`);
    }
  });

  await t.test('its commands', async (t) => {
    t.match(await run('start', 'app.js', '-i', '2', '--name', 'shop'), {
      code: 0,
      stderr: /✔ shop: 2 workers online/,
    });
    t.match(await until(() => ask(port), 'an answer'), /^Hello from worker \d+/);
    writeFiles(root, { 'shop/app.js': server.replace('Hello', 'Good morning') });
    t.match(await run('reload', 'shop'), { code: 0, stderr: /✔ shop: 2 workers replaced/ });
    t.match(await ask(port), /^Good morning from worker \d+/);
    writeFiles(root, { 'shop/app.js': 'throw new Error("no database");' });
    t.match(await run('reload', 'shop'), { code: 5, stderr: /no database/ });
    t.match(await ask(port), /^Good morning/);
    writeFiles(root, { 'shop/app.js': server });
    t.match(await run('scale', 'shop', '+1'), { code: 0 });
    t.match(await run('ls'), { code: 0, stdout: /shop .*online/ });
    t.match(await appsNow(), { apps: [{ name: 'shop', status: 'online' }] });
    t.match(await run('describe', 'shop'), { code: 0, stdout: /Good morning|app\.js/ });
    t.match(await run('logs', 'shop', '--no-follow'), { code: 0, stdout: /no database/ });
    t.match(await run('completion', 'bash'), { code: 0, stdout: /_nodecluster/ });
    t.match(await run('start', 'missing.js'), { code: 4, stderr: /^(?!.*\n\s+at )/s });
  });

  await t.test('update, and what runs from the home directory', async (t) => {
    const before = await appsNow();
    const rootBefore = await rootNow();
    t.ok(
      rootBefore.startsWith(join(home, 'versions')),
      'the daemon runs from the copy in the home',
    );
    // A version that differs: another copy.
    const script = join(installed.root, 'src/daemon/run.js');
    appendFileSync(script, '// another version\n');
    t.match(await run('update', '--apps'), { code: 0 });
    const after = await appsNow();
    t.not(await rootNow(), rootBefore);
    t.not(after.apps[0].primaryPid, before.apps[0].primaryPid);
    t.match(await ask(port), /from worker \d+/);
  });

  await t.test('its programming interface', async (t) => {
    const program = (/** @type {string} */ load) =>
      `${load} const api = await connect(); console.log((await api.list())[0].name); api.close();`;
    writeFiles(root, {
      'prefix/lib/imports.mjs': program(`import { connect } from 'nodecluster';`),
      'prefix/lib/requires.cjs': `(async () => { ${program(`const { connect } = require('nodecluster');`)} })()`,
    });
    for (const file of ['imports.mjs', 'requires.cjs']) {
      const path = join(root, 'prefix/lib', file);
      t.match(await watched(spawnClean(NODE, [path], options), file).ended, {
        code: 0,
        stdout: 'shop\n',
      });
    }
    t.match(await run('kill'), { code: 0 });
  });

  await t.test('nodecluster-runtime', async (t) => {
    const runtime = spawnClean(`${installed.command}-runtime`, ['start', 'app.js'], {
      ...options,
      env: { ...options.env, XDG_RUNTIME_DIR: root },
    });
    const { ended } = watched(runtime, 'nodecluster-runtime');
    t.match(await until(() => ask(port), 'an answer'), /^Hello from worker \d+/);
    runtime.kill('SIGTERM');
    t.match(await ended, { code: 0, stderr: /SIGTERM: stopping/ });
  });
});
