/** What `npm pack` publishes: installed into an empty prefix, it does what the tour of the README does. */
import t from 'tap';
import { join } from 'node:path';
import { testHome, watched } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { read, ROOT } from '../../support/sources.js';
import { writeFiles } from '../../support/files.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';

t.test('the packed tarball, installed globally', async (t) => {
  const { root, env } = testHome(t);
  const prefix = join(root, 'prefix');
  const port = await freePort();
  const server = read('docs/examples/hello.js');
  writeFiles(root, {
    'shop/app.js': server,
    'shop/package.json': '{"name":"shop","type":"module"}',
  });

  const [{ filename, files }] = JSON.parse(
    (await npm(['pack', '--json', '--pack-destination', root], ROOT)).stdout,
  );
  const unexpected = files
    .map((/** @type {{path: string}} */ { path }) => path)
    .filter((/** @type {string} */ path) => !/^(bin|src|docs)\/|^[^/]+$/.test(path));
  t.same(unexpected, [], 'only what a user needs');
  await npm(
    [
      'install',
      '--global',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--prefix',
      prefix,
    ].concat(join(root, filename)),
    root,
  );

  const command = join(prefix, 'bin/nodecluster');
  /** @param {string[]} args */
  const run = (...args) =>
    watched(
      spawnClean(command, args, { cwd: join(root, 'shop'), env: { ...env, PORT: String(port) } }),
      args.join(' '),
    ).ended;

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
  t.match(JSON.parse((await run('ls', '--json')).stdout).apps, [
    { name: 'shop', status: 'online' },
  ]);
  t.match(await run('describe', 'shop'), { code: 0, stdout: /Good morning|app\.js/ });
  t.match(await run('schema'), { code: 0, stdout: /json-schema/ });
  t.match(await run('kill'), { code: 0 });

  const runtime = spawnClean(join(prefix, 'bin/nodecluster-runtime'), ['start', 'app.js'], {
    cwd: join(root, 'shop'),
    env: { ...env, PORT: String(port), XDG_RUNTIME_DIR: root },
  });
  const { ended } = watched(runtime, 'nodecluster-runtime');
  t.match(await until(() => ask(port), 'an answer'), /^Hello from worker \d+/);
  runtime.kill('SIGTERM');
  t.match(await ended, { code: 0, stderr: /SIGTERM: stopping/ });
});

/**
 * With the environment of the shell, because npm may need its settings.
 * @param {string[]} args @param {string} cwd
 */
async function npm(args, cwd) {
  const shell = /** @type {Record<string, string>} */ ({ ...process.env });
  delete shell.NODE_OPTIONS; // it would load tap into npm
  const ended = await watched(spawnClean('npm', args, { cwd, env: shell }), `npm ${args[0]}`).ended;
  if (ended.code !== 0) throw new Error(`npm ${args.join(' ')}: ${ended.stderr}`);
  return ended;
}
