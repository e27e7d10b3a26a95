/** Variables that are read at each start of a worker, and stored nowhere. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyApp, writeFiles } from '../../support/files.js';
import { testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { descriptorsOf, isRunning } from '../../support/processes.js';
import { freePort, freePorts } from '../../support/ports.js';
import { until } from '../../support/until.js';

const FIRST = 'first-5d1c';
const ROTATED = 'rotated-77ae';

t.test('a rotated secret reaches the next workers, and no file has it', async (t) => {
  const { root, home, run, ok } = testHome(t);
  const port = await freePort();
  copyApp('reports-main.cjs', `${root}/server.cjs`);
  writeFileSync(`${root}/db`, `${FIRST}\n`);
  writeFiles(root, {
    'ecosystem.yml': {
      apps: [
        {
          name: 'api',
          script: './server.cjs',
          instances: 2,
          env: { PORT: port, DB_PASSWORD: 'of-env' },
          env_from: [{ file: './db', as: 'DB_PASSWORD' }],
        },
      ],
    },
  });
  await ok(['start']);
  t.equal((await ask(port)).env.DB_PASSWORD, FIRST);

  writeFileSync(`${root}/db`, ROTATED);
  const load = startLoad(t, { port, clients: 4, thinkMs: 5, anyAnswer: true });
  await ok(['reload', 'api']);
  const { failed, made } = await load.stop();
  t.equal(failed, 0, `of ${made} requests`);
  t.equal((await ask(port)).env.DB_PASSWORD, ROTATED);

  const shown = await Promise.all(
    [
      ['describe', 'api'],
      ['describe', 'api', '--json'],
      ['env', 'api', '--show-secrets'],
    ].map(async (args) => (await run(args)).stdout),
  );
  t.match(shown[0], /env_from .*\.\/db.*DB_PASSWORD/);
  t.match(shown[2], /^DB_PASSWORD=\*+ +# env_from \.\/db$/m, 'not that of env');
  t.match(shown[0], /last change .*: reload by .*$/m);
  for (const text of [...shown, ...textsIn(home)]) {
    t.notMatch(text, FIRST);
    t.notMatch(text, ROTATED);
  }
});

t.test('a source is missing for a while: its worker is tried again until it is back', async (t) => {
  const { root, run, ok, appNamed, pidsOf } = testHome(t);
  const port = await freePort();
  copyApp('reports-main.cjs', `${root}/server.cjs`);
  writeFiles(root, {
    'ecosystem.yml': {
      name: 'api',
      script: './server.cjs',
      // The end of the worker counts, and a failed start would be one too many.
      max_restarts: 1,
      restart_delay: 0,
      max_restart_delay: '200ms',
      env: { PORT: port },
      env_from: [{ file: './token', as: 'TOKEN' }, { command: ['sh', '-c', 'echo B=2'] }],
    },
  });
  const refused = await run(['start']);
  t.match(refused, { code: 5, stderr: /env_from \.\/token: it does not exist/ });
  writeFileSync(`${root}/token`, 'works');
  await ok(['restart', 'ecosystem.yml']);
  const before = await pidsOf('api');
  rmSync(`${root}/token`);
  for (let count = 0; count < 5; count += 1) {
    const failed = await run(['reload', 'api']);
    t.equal(failed.code, 5, 'a reload does not wait');
    t.match(failed.stderr, 'env_from ./token: it does not exist');
  }
  t.same(await pidsOf('api'), before);
  const names = JSON.parse((await ok(['env', 'api', '--json', '--show-secrets'])).stdout).apps[0]
    .env;
  t.match(names, {
    TOKEN: { value: /^\*+$/, from: 'env_from ./token' },
    B: { value: /^\*+$/, from: 'env_from sh' },
  });

  writeFileSync(`${root}/token`, 'again');
  await ok(['reload', 'api']);
  const described = await ok(['describe', 'api']);
  t.notMatch(described.stdout, /degraded|crash|read what it wrote/);

  rmSync(`${root}/token`);
  const [serving] = await pidsOf('api');
  process.kill(serving, 'SIGKILL');
  const inBackoff = async () => (await appNamed('api')).workers[0].status === 'backoff';
  await until(inBackoff, 'it waits for the source');
  t.match((await ok(['ls'])).stderr, 'env_from ./token: it does not exist');
  writeFileSync(`${root}/token`, 'back');
  const back = await until(async () => (await ask(port)).env.TOKEN, 'it serves again');
  t.equal(back, 'back');
});

const skip = process.platform !== 'linux' && 'prlimit(1) is part of Linux';
t.test('what a command has started is ended with its worker', { skip }, async (t) => {
  const { root, ok, appNamed, pidsOf } = testHome(t);
  copyApp('reports-main.cjs', `${root}/server.cjs`);
  const ports = await freePorts(3);
  // Outside of its process group, and with its stdout.
  const leaving = 'setsid sleep 600 & echo $! >> ./left-by-$APP;';
  const apps = [
    ['neighbour', 'echo v'],
    ['works', `${leaving} sleep 0.2; echo v`],
    ['fails', `${leaving} sleep 0.2; ! test -e ./broken && echo v`],
    ['late', `${leaving} test -e ./broken && sleep 5; echo v`],
  ].map(([name, command], index) => ({
    name,
    script: './server.cjs',
    restart_delay: 0,
    max_restart_delay: '100ms',
    env: { PORT: ports[index] ?? 0, APP: name },
    env_from: [{ command: ['sh', '-c', command], as: 'TOKEN', timeout: '1s' }],
  }));
  writeFiles(root, { 'ecosystem.json': { apps } });
  const leftBy = (name) =>
    readFileSync(`${root}/left-by-${name}`, 'utf8').trim().split('\n').map(Number);
  await ok(['start', 'ecosystem.json']);
  const { primaryPid } = await appNamed('neighbour');
  t.equal((await appNamed('fails')).primaryPid, primaryPid, 'they share a primary');
  const limit = descriptorsOf(primaryPid).length + 15;
  execFileSync('prlimit', ['--pid', String(primaryPid), `--nofile=${limit}:`]);
  writeFileSync(`${root}/broken`, '');
  for (const name of ['fails', 'late']) process.kill((await pidsOf(name))[0], 'SIGKILL');
  await until(() => leftBy('fails').length > 20 && leftBy('late').length > 5, 'more tries');
  const [worker] = await pidsOf('neighbour');
  process.kill(worker, 'SIGKILL');
  const isBack = async () => (await pidsOf('neighbour'))[0] !== worker && (await ask(ports[0]));
  await until(isBack, 'the neighbour serves again');

  t.ok(leftBy('works').some(isRunning), 'while its worker runs');
  await ok(['delete', 'works', 'fails']);
  for (const name of ['works', 'fails']) t.same(leftBy(name).filter(isRunning), [], name);
  await ok(['kill']);
  t.same(leftBy('late').filter(isRunning), []);
});

function textsIn(directory) {
  return readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .filter((file) => !file.includes('/versions/'))
    .map((file) => readFileSync(file, 'utf8'));
}
