/** Files that `init` and `import` write, files with errors, and the environment that a file gives. */
import { chmodSync, lstatSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import t from 'tap';
import { copyApp, writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';

t.test('init finds the program and writes a file that starts it', async (t) => {
  const { root, ok, run } = testHome(t);
  const port = await freePort();
  copyApp('http-pid.cjs', `${root}/lib/server.cjs`);
  writeFiles(root, { 'package.json': { name: 'shop', main: './lib/server.cjs' } });
  await ok(['init']);
  const written = readFileSync(`${root}/ecosystem.yml`, 'utf8');
  t.match(written, /lib\/server\.cjs/);
  await ok(['start'], { env: { PORT: String(port) } });
  t.match(await ask(port), { pid: Number });
  t.equal((await run(['init'])).code, 6, 'an existing file is refused');
  t.equal(readFileSync(`${root}/ecosystem.yml`, 'utf8'), written, 'and left as it is');
});

const unknownKey = `apps:\n  - name: api\n    script: ${app('http-pid.cjs')}\n    instnaces: 2\n`;
const endless = 'await new Promise(() => {});\nexport const apps = [];\n';

t.test('an unknown key, and a module that never ends', async (t) => {
  const { root, run, list } = testHome(t);
  for (const [file, text, says] of [
    ['ecosystem.yml', unknownKey, /ecosystem\.yml:4:\d+.*instnaces.*instances/is],
    ['ecosystem.config.mjs', endless, /await never ends/],
  ]) {
    writeFiles(root, { [file]: text });
    const { code, stdout, stderr } = await run(['start', file]);
    t.equal(code, 3, stderr);
    t.match(stderr, says);
    t.notMatch(stderr, /^\s+at .*:\d+:\d+\)?$/m, 'no stack');
    t.equal(stdout, '');
  }
  t.same((await list()).apps, [], 'nothing was started');
});

t.test('the file overrides the shell; --update-env rereads the shell', async (t) => {
  const { root, ok } = testHome(t);
  const port = await freePort();
  copyApp('reports-main.cjs', `${root}/server.cjs`);
  const write = (env) =>
    writeFiles(root, {
      'ecosystem.yml': { name: 'api', script: './server.cjs', env: { PORT: port, ...env } },
    });
  const seen = async () => {
    const { env } = await ask(port);
    return [env.SHELL_ONE, env.FILE_ONE, env.BOTH];
  };

  write({ FILE_ONE: 'file', BOTH: 'file' });
  await ok(['start'], { env: { SHELL_ONE: 'shell', BOTH: 'shell' } });
  t.same(await seen(), ['shell', 'file', 'file']);

  await ok(['reload', 'api'], { env: { SHELL_ONE: 'other' } });
  t.same(await seen(), ['shell', 'file', 'file'], 'a reload keeps it');

  await ok(['reload', 'api', '--update-env'], { env: { SHELL_ONE: 'other' } });
  t.same(await seen(), ['other', 'file', 'file'], 'unless --update-env is given');

  write({ BOTH: 'file' });
  await ok(['reload', 'ecosystem.yml']);
  t.same(await seen(), ['other', undefined, 'file'], 'a variable removed from the file is removed');
});

const FAKE_PM2 = `#!${process.execPath}
const fs = require('node:fs');
const { PM2_HOME } = process.env;
const [verb, ...ids] = process.argv.slice(2);
fs.appendFileSync(PM2_HOME + '/calls', [verb, ...ids].join(' ') + '\\n');
const list = JSON.parse(fs.readFileSync(PM2_HOME + '/list.json', 'utf8'));
if (verb === 'jlist') console.log('>>>> a remark\\n' + JSON.stringify(list));
if (verb === 'delete') {
  const left = list.filter(({ pm_id }) => !ids.includes(String(pm_id)));
  fs.writeFileSync(PM2_HOME + '/list.json', JSON.stringify(left));
}
`;

t.test('what PM2 runs becomes a file, and then moves here', async (t) => {
  const { root, ok, run, list } = testHome(t);
  const port = await freePort();
  const pm2 = `${root}/pm2`;
  const entry = (pm_id, settings, ofFile = {}) => ({
    name: settings.name,
    pm_id,
    pm2_env: {
      status: 'online',
      exec_mode: 'cluster_mode',
      exec_interpreter: 'node',
      pm_cwd: root,
      pm_out_log_path: `${pm2}/logs/out.log`,
      ...settings,
      env: { HOME: root, PM2_USAGE: 'CLI', ...ofFile, unique_id: 'x' },
    },
  });
  copyApp('http-pid.cjs', `${root}/http-pid.cjs`);
  copyApp('exits-1.cjs', `${root}/exits-1.cjs`);
  const api = { name: 'api', pm_exec_path: `${root}/http-pid.cjs` };
  const variables = { PORT: port, APP_VERSION: 'moved', API_TOKEN: 'secret' };
  writeFiles(root, {
    'bin/pm2': FAKE_PM2,
    'pm2/pm2.pid': String(process.pid),
    'pm2/list.json': [
      entry(0, api, variables),
      entry(1, api, variables),
      entry(2, { name: 'bad', pm_exec_path: `${root}/exits-1.cjs`, autorestart: false }),
      entry(3, { ...api, name: 'resting', status: 'stopped' }),
    ],
  });
  chmodSync(`${root}/bin/pm2`, 0o755);
  const env = { PATH: `${root}/bin:${process.env.PATH}`, PM2_HOME: pm2 };
  const calls = () => readFileSync(`${pm2}/calls`, 'utf8').trim().split('\n');

  const toStdout = await ok(['import', '--output', '-'], { env });
  t.match(toStdout.stdout, `script: ${root}/http-pid.cjs`);
  const { stdout, stderr } = await ok(['import'], { env });
  t.match(stdout, 'Wrote ecosystem.yml: api, bad, resting.');
  t.match(stderr, 'Secrets were not copied, and ecosystem.yml names them: api.');
  const text = readFileSync(`${root}/ecosystem.yml`, 'utf8');
  t.match(text, 'name: api\n    script: ./http-pid.cjs\n    instances: 2\n    env:\n');
  t.notMatch(text, 'secret\n', 'no value of a secret');
  t.equal(statSync(`${root}/ecosystem.yml`).mode & 0o077, 0, 'only its owner can read it');
  t.equal((await run(['import'], { env })).code, 6, 'it is not overwritten');
  t.same([...new Set(calls())], ['jlist'], 'PM2 is only read');

  const moved = await run(['import', '--switch'], { env });
  t.equal(moved.code, 5, moved.stderr);
  t.match(moved.stderr, /✔ api: moved\. It was down for at most /);
  t.match(moved.stderr, /✖ bad: it did not start here, so PM2 runs it again\./);
  t.match(
    moved.stderr,
    'resting: stopped in PM2, so it stays there. To move it: ' +
      'nodecluster start ecosystem.yml --only resting && pm2 delete 3\n',
  );
  t.match(
    moved.stderr,
    'ecosystem.yml does not have its API_TOKEN. Set them there in env or env_file',
  );
  t.match(moved.stderr, 'PM2 still has bad, resting.');
  t.same(
    calls().filter((call) => call !== 'jlist'),
    ['stop 0 1', 'delete 0 1', 'stop 2', 'restart 2'],
  );
  t.match(await ask(port), { version: 'moved' });
  const { apps } = await list();
  t.match(apps, [{ name: 'api', workers: [{ status: 'online' }, { status: 'online' }] }]);
  t.equal(apps.length, 1);
  const shown = await ok(['env', 'api', '--json']);
  t.match(shown.stdout, 'API_TOKEN', 'the app has its secret, though the file does not');

  writeFiles(root, { 'dump.pm2': [entry(0, api).pm2_env], 'no.pm2': '{}' });
  const [file, old] = [`${root}/ecosystem.yml`, `${root}/old.yml`];
  renameSync(file, old);
  const oldText = readFileSync(old, 'utf8');
  chmodSync(old, 0o644);
  symlinkSync(old, file);
  t.match(await ok(['import', 'dump.pm2', '--force'], { env }), {
    stdout: /Wrote .*: api\. Check it, then start the apps with: nodecluster start ecosystem.yml/,
  });
  t.ok(lstatSync(file).isFile(), 'it replaced the link');
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.equal(readFileSync(old, 'utf8'), oldText);
  t.match(await run(['import', 'no.pm2', '--force'], { env }), {
    code: 4,
    stderr: /E_PM2_NOT_FOUND/,
  });
  t.match(await run(['import', '--force'], { env: { PM2_HOME: root } }), { code: 0 }, 'its dump');
  t.match(await run(['import', '--force'], { env: { PM2_HOME: `${root}/bin` } }), { code: 4 });
});
