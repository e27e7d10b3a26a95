/** Settings of apps that run: changed by options, and written to an ecosystem file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { until } from '../../support/until.js';

/** @import { Spec } from '../../../src/config/spec.js' */

t.test('reload and restart take the options of start', async (t) => {
  const { ok, run, appNamed, described } = testHome(t);
  const env = { PORT: String(await freePort()), ONLY_HERE: 'x' };
  const first = ['--min-uptime', '200', '--set-env', 'A=1', '--kill-timeout', '2s'];
  await ok(['start', app('http-pid.cjs'), '--name', 'api', ...first], { env });

  const { stderr } = await ok([
    'reload',
    'api',
    '-i',
    '2',
    '--max-memory-restart',
    '1G',
    '--',
    '-x',
  ]);
  t.match(stderr, /instances +1 → 2/);
  t.match(stderr, /✔ api: 1 worker replaced, 1 added/);
  const { spec } = await described('api');
  t.match(spec, {
    instances: 2,
    maxMemoryRestartBytes: 2 ** 30,
    killTimeoutMs: 2000,
    args: ['-x'],
  });
  t.match(spec.given, { instances: 'flag', maxMemoryRestartBytes: 'flag', killTimeoutMs: 'flag' });

  await ok(['restart', 'api', '--set-env', 'B=2', '--kill-timeout', '3s']);
  const variables = JSON.parse((await ok(['env', 'api', '--json'])).stdout).apps[0].env;
  t.match(variables, {
    A: { value: '1' },
    B: { value: '2', from: 'flag' },
    ONLY_HERE: { value: 'x' },
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
  const { home, ok, run, list, appNamed } = testHome(t);
  const port = String(await freePort());
  const fast = ['--min-uptime', '200', '--set-env', `PORT=${port}`];
  await ok(['start', app('http-pid.cjs'), '--name', 'api', '-i', '2', ...fast]);
  await ok(['start', app('never-listens.cjs'), '--name', 'taken', ...fast]);
  writeFileSync(join(home, 'logs/api-out.log'), 'before\n');
  writeFileSync(join(home, 'logs/api-out.log.100001.gz'), 'rotated\n');
  const { apps: before } = await list();
  t.match(await run(['restart', 'api', '--name', 'taken']), { code: 6, stderr: /E_NAME_TAKEN/ });
  t.match(await run(['restart', 'api', '--name', 'a b']), { code: 2, stderr: /E_FLAG_INVALID/ });
  t.match(await run(['restart', 'all', '--name', 'web']), { code: 2, stderr: /has 2 apps/ });
  t.match(await appNamed('api'), { primaryPid: before[0].primaryPid }, 'nothing was touched');

  t.match(await ok(['restart', '0', '--name', 'web']), { stderr: /✔ web: 2 workers/ });
  t.match(await appNamed('web'), { status: 'online', workers: [{ id: 0 }, { id: 1 }] });
  t.match((await list()).apps.map(({ name }) => name).sort(), ['taken', 'web']);
  t.match(readFileSync(join(home, 'logs/web-out.log'), 'utf8'), /^before/);
  t.equal(readFileSync(join(home, 'logs/web-out.log.100001.gz'), 'utf8'), 'rotated\n');
  t.notOk(existsSync(join(home, 'apps/api')));
  const daemon = (await list()).daemon.pid;
  process.kill(daemon, 'SIGKILL');
  await until(async () => (await list()).daemon.pid !== daemon, 'the next daemon');
  t.match(await appNamed('web'), { status: 'online', workers: [{ id: 0 }, { id: 1 }] });
  // A deploy script does it again and again.
  t.match(await ok(['restart', '0', '--name', 'web']), { stderr: /✔ web: 2 workers restarted/ });
  t.match(await ok(['start', 'web', '--name', 'web', '-i', '1']), { stderr: /instances +2 → 1/ });
});

t.test('start of an app with settings changes them, and replaces only what it must', async (t) => {
  const { ok, appNamed, startApi } = testHome(t);
  await startApi(['--min-uptime', '200']);
  const [{ pid }] = (await appNamed('api')).workers;
  const { stderr } = await ok(['start', 'api', '--watch', '-i', '2']);
  t.match(stderr, /watch +false → true/);
  t.match(await appNamed('api'), { workers: [{ pid, status: 'online' }, { status: 'online' }] });
  await ok(['stop', 'api']);
  await ok(['start', 'api', '--set-env', 'A=1']);
  t.match(await appNamed('api'), { workers: [{ status: 'online' }, { status: 'online' }] });
  const [{ spec }] = JSON.parse((await ok(['describe', 'api', '--json'])).stdout).apps;
  const [{ env: variables }] = JSON.parse((await ok(['env', 'api', '--json'])).stdout).apps;
  t.match(spec, { watch: true, instances: 2 });
  t.match(variables, { A: { value: '1' } });
});

t.test('init --from-running writes a file that yields the same specs', async (t) => {
  const [from, to] = [testHome(t), testHome(t)];
  const port = String(await freePort());
  const flags = [
    '--min-uptime',
    '200',
    '--set-env',
    `PORT=${port}`,
    '--set-env',
    'API_TOKEN=a: #b',
    '-k',
    '2s',
  ];
  await from.ok(['start', app('http-pid.cjs'), '-n', 'api', ...flags, '--', '-x', 'y z'], {
    env: { SHELL_SECRET: 'hidden' },
  });
  const timer = join(from.root, 'timer.js');
  writeFileSync(timer, 'setInterval(() => {}, 1000);');
  await from.ok([
    'start',
    timer,
    '-n',
    'job',
    '--exec-mode',
    'fork',
    '--no-time',
    '--min-uptime',
    '200',
  ]);
  await from.ok(['start', timer, '-n', 'off', '--min-uptime', '200']);
  await from.ok(['stop', 'off']);
  const file = join(from.root, 'ecosystem.yml');
  await from.ok(['init', '--from-running']);
  const text = readFileSync(file, 'utf8');
  t.match(text, /Left out, because they are stopped: off/);
  t.notMatch(text, /hidden/);
  t.match(await from.run(['init', '--from-running']), { code: 6, stderr: /--force/ });
  await from.ok(['init', '--from-running', '--force']);
  const { stdout } = await from.ok(['init', '--from-running', '-']);
  t.equal(stdout, text);

  /** @param {typeof from} home @returns {Promise<Partial<Spec>[]>} */
  const specsOf = async ({ ok }) => {
    const { apps } = JSON.parse((await ok(['describe', 'api', 'job', '--json'])).stdout);
    return apps.map(({ spec }) => ({ ...spec, configFile: null, given: null }));
  };
  const specs = await specsOf(from);
  await from.ok(['kill']);
  await to.ok(['start', file]);
  t.same(await specsOf(to), specs);
  const { env } = JSON.parse((await to.ok(['env', 'api', '--json', '--show-secrets'])).stdout)
    .apps[0];
  t.match(env, { API_TOKEN: { value: 'a: #b' }, SHELL_SECRET: undefined });
});
