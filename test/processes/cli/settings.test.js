/** Settings of apps that run: changed, scaled, shown as the last change, and the targets that commands take. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';

t.test('reload and restart take the options of start', async (t) => {
  const { ok, run, appNamed, described } = testHome(t, { inProcess: true });
  const env = { PORT: String(await freePort()), ONLY_HERE: 'x', GONE: 'x' };
  const first = '--min-uptime 200 --set-env A=1 --set-env GONE- --kill-timeout 2s'.split(' ');
  await ok(['start', app('http-pid.cjs'), '--name', 'api', ...first], { env });

  const { stderr } = await ok('reload api -i 2 --max-memory-restart 1G -- -x'.split(' '));
  t.match(stderr, /instances +1 → 2/);
  t.match(stderr, /✔ api: 1 worker replaced, 1 added/);
  const { spec } = await described('api');
  t.match(spec, { instances: 2, maxMemoryRestartBytes: 2 ** 30, killTimeoutMs: 2000 });
  t.same(spec.args, ['-x']);
  t.match(spec.given, { instances: 'flag', maxMemoryRestartBytes: 'flag', killTimeoutMs: 'flag' });

  await ok(['restart', 'api', '--set-env', 'B=2', '--kill-timeout', '3s']);
  const variables = JSON.parse((await ok(['env', 'api', '--json'])).stdout).apps[0].env;
  t.match(variables, {
    A: { value: '1' },
    B: { value: '2', from: 'flag' },
    ONLY_HERE: { value: 'x' },
    GONE: undefined,
  });
  t.match((await described('api')).spec, { killTimeoutMs: 3000, instances: 2 });

  for (const line of [
    'reload api --name web',
    'start api --name web',
    'restart api:1 -i 3',
    'restart api --name b -i 2',
  ]) {
    t.match(await run(line.split(' ')), { code: 2, stderr: /E_USAGE/ }, line);
  }
  t.match(await run(['reload', 'api', '-i', 'many']), { code: 2, stderr: /E_FLAG_INVALID/ });
  t.match(await appNamed('api'), { generation: 3, workers: [{ id: 0 }, { id: 1 }] });
});

t.test('restart --name renames an app', async (t) => {
  const { home, ok, run, list, appNamed, killDaemon, isBack } = testHome(t, { inProcess: true });
  const port = String(await freePort());
  const fast = ['--min-uptime', '200', '--set-env', `PORT=${port}`];
  await ok(['start', app('http-pid.cjs'), '--name', 'api', '-i', '2', ...fast]);
  await ok(['start', app('never-listens.cjs'), '--name', 'taken', ...fast]);
  writeFileSync(join(home, 'logs/api-out.log'), 'before\n');
  const { apps: before } = await list();
  t.match(await run(['restart', 'api', '--name', 'taken']), { code: 6, stderr: /E_NAME_TAKEN/ });
  t.match(await run(['restart', 'api', '--name', 'a b']), { code: 2, stderr: /E_FLAG_INVALID/ });
  t.match(await run(['restart', 'all', '--name', 'web']), { code: 2, stderr: /has 2 apps/ });
  t.match(await appNamed('api'), { primaryPid: before[0].primaryPid }, 'nothing was touched');

  t.match(await ok(['restart', '0', '--name', 'web']), { stderr: /✔ web: 2 workers/ });
  t.match(await appNamed('web'), { status: 'online', workers: [{ id: 0 }, { id: 1 }] });
  t.match((await list()).apps.map(({ name }) => name).sort(), ['taken', 'web']);
  t.match(readFileSync(join(home, 'logs/api-out.log'), 'utf8'), /^before/, 'which stays');
  t.notOk(existsSync(join(home, 'apps/api')));
  await killDaemon();
  t.match(await isBack('web'), { workers: [{ id: 0 }, { id: 1 }] });
  // A deploy script does it again and again.
  t.match(await ok(['restart', '0', '--name', 'web']), { stderr: /✔ web: 2 workers restarted/ });
  t.match(await ok(['start', 'web', '--name', 'web', '-i', '1']), { stderr: /instances +2 → 1/ });
});

t.test('a wrong variable after a deploy is found in describe', async (t) => {
  const { root, ok, run, begin, described, killDaemon } = testHome(t, { inProcess: true });
  const file = join(root, 'ecosystem.json');
  const PORT = String(await freePort());
  const write = (settings) =>
    writeFileSync(
      file,
      JSON.stringify({ apps: [{ name: 'api', script: app('http-pid.cjs'), ...settings }] }),
    );
  const args = ['--password', 'hidden'];
  write({ env: { PORT, DB_HOST: 'db-1', DB_PASSWORD: 'hidden' }, args, min_uptime: 200 });
  await ok(['start', file]);
  t.same((await described('api')).changes, []);

  const env = { PORT, DB_HOST: 'db-2', DB_PASSWORD: 'also hidden' };
  write({ env, args, min_uptime: 200, kill_timeout: '9s' });
  t.match(await begin(['apply', file], { env: { SUDO_USER: 'alice' } }).ended, { code: 0 });
  const change = {
    action: 'reload',
    by: { role: 'cli', user: 'alice' },
    generation: 2,
    isApplied: true,
    differences: [
      { key: 'env.DB_HOST', from: 'db-1', to: 'db-2' },
      { key: 'env.DB_PASSWORD', from: '********', to: '********' },
      { key: 'kill_timeout', from: '5s', to: '9s' },
    ],
    omitted: 0,
  };
  const expectChange = async (when) => {
    const { changes, spec } = await described('api');
    t.match(changes, [change], when);
    t.equal(changes.length, 1);
    t.same(spec.args, ['--password', '********']);
    const { stdout } = await ok(['describe', 'api']);
    t.match(stdout, /last change +\S+ ago: reload by alice, took .*env\.DB_HOST "db-1" → "db-2"/);
    t.match(stdout, /kill_timeout "5s" → "9s"/);
    t.notMatch(stdout, 'hidden');
  };
  await expectChange('after the deploy');
  t.notMatch((await ok(['jlist'])).stdout, 'hidden');

  const json = (await ok(['events', 'api', '--since', '1h', '--json'])).stdout.trim().split('\n');
  const event = json.map((line) => JSON.parse(line)).find(({ type }) => type === 'reload.ended');
  t.match(event, { ok: true, change });
  const told = async () => (await ok(['events', 'api', '--since', '1h'])).stdout;
  const before = await told();
  t.match(before, / api:0 replaced: pid \d+ → \d+\n.* api reload done in .* by alice: /);

  await killDaemon();
  const after = await told();
  t.ok(after.startsWith(before), 'what happened before is still known');
  t.match(
    after.slice(before.length),
    /^\S+ daemon started: the one before was killed or crashed, after/,
  );
  await expectChange('after the daemon was killed');

  const failed = await run(['reload', 'api', '--set-env', 'PORT=-1']);
  t.equal(failed.code, 5);
  const { changes } = await described('api');
  t.match(changes, [{ isApplied: false, differences: [{ key: 'env.PORT', to: '-1' }] }, change]);
  t.match((await ok(['describe', 'api'])).stdout, /, failed: .*; env\.PORT/);
});

t.test('directories, command lines and paths', async (t) => {
  const { root, ok, run, list } = testHome(t, { inProcess: true });
  const write = (path, text) => writeFileSync(join(root, path), text);
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
  const statuses = async () => (await list()).apps.map(({ status }) => status);
  t.same(await statuses(), ['stopped', 'online', 'stopped'], 'a name wins over a path');
  await ok(['restart', './loop.js', '--kill-timeout', '2s']);
  t.same(await statuses(), ['stopped', 'online', 'online'], 'a path means each app that runs it');
  t.match(await run(['delete', './gone.js']), { code: 4, stderr: /E_APP_UNKNOWN/ });
  const npm = await run(['start', 'npm', 'start']);
  t.match(npm, { code: 4, stderr: /nodecluster start "npm start"/ });
  await ok(['delete', join(root, 'shop/server.js')]);
  t.equal((await list()).apps.length, 2);
});

t.test('describe tells whether instances came from the file or from scale', async (t) => {
  const { root, ok, killDaemon } = testHome(t, { inProcess: true });
  const port = await freePort();
  const write = (settings) =>
    writeFiles(root, {
      'ecosystem.yml': {
        name: 'api',
        script: app('http-pid.cjs'),
        min_uptime: '100ms',
        env: { PORT: port },
        ...settings,
      },
    });
  const described = async () =>
    /^ {2}instances +(.+)$/m.exec((await ok(['describe', 'api'])).stdout)?.[1];

  write({ instances: 2 });
  await ok(['start']);
  t.equal(await described(), '2');
  await ok(['scale', 'api', '3']);
  t.equal(await described(), '3  set by a command');
  await ok(['reload', 'api']);
  t.equal(await described(), '3  set by a command', 'also after a reload');
  await killDaemon();
  t.equal(await described(), '3  set by a command', 'also by the next daemon');
  t.match((await ok(['apply', '--dry-run'])).stdout, /instances +3 → 2/);
  await ok(['reload', 'ecosystem.yml']);
  t.equal(await described(), '2');
  write({ instances: 3, args: ['--new'] });
  await ok(['reload', 'ecosystem.yml']);
  t.equal(await described(), '3', 'more, after new workers');
  await ok(['delete', 'api:2']);
  t.equal(await described(), '2  set by a command');
});
