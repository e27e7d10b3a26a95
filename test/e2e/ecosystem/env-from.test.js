/** Variables that are read at each start of a worker, and stored nowhere. */
import t from 'tap';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyApp, writeFiles } from '../../support/files.js';
import { testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { isRunning } from '../../support/processes.js';
import { freePort } from '../../support/ports.js';
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
  const load = startLoad({ port, clients: 4, thinkMs: 5, anyAnswer: true });
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
  for (const text of [...shown, ...textsIn(home)]) {
    t.notMatch(text, FIRST);
    t.notMatch(text, ROTATED);
  }
});

t.test('a source that fails: nothing is started, and a reload replaces nobody', async (t) => {
  const { root, run, ok } = testHome(t);
  const port = await freePort();
  copyApp('reports-main.cjs', `${root}/server.cjs`);
  const write = (file) =>
    writeFiles(root, {
      'ecosystem.yml': {
        name: 'api',
        script: './server.cjs',
        max_restarts: 1,
        env: { PORT: port },
        env_from: [{ file, as: 'TOKEN' }],
      },
    });
  write('./missing');
  const refused = await run(['start']);
  t.equal(refused.code, 5);
  t.match(refused.stderr, 'env_from ./missing: it does not exist');

  writeFileSync(`${root}/token`, 'works');
  write('./token');
  await ok(['restart', 'ecosystem.yml']);
  const { pid } = await ask(port);
  write('./missing');
  const failed = await run(['reload', 'ecosystem.yml']);
  t.equal(failed.code, 5);
  t.match(failed.stderr, 'env_from ./missing: it does not exist');
  t.equal((await ask(port)).pid, pid, 'the old worker serves');
});

t.test('everything is ended while a source is still read', async (t) => {
  const { root, run, ok } = testHome(t);
  copyApp('never-listens.cjs', `${root}/job.cjs`);
  writeFiles(root, {
    'reads.sh': 'echo $$ > ./reader; exec sleep 60',
    'ecosystem.yml': {
      name: 'job',
      script: './job.cjs',
      env_from: [{ command: ['sh', './reads.sh'], timeout: '60s' }],
    },
  });
  const starting = run(['start']);
  const reader = await until(
    () => Number(readFileSync(`${root}/reader`, 'utf8')),
    'the command runs',
  );
  await ok(['kill']);
  t.not((await starting).code, 0);
  await until(() => !isRunning(reader), 'the command has ended');
});

/** @param {string} directory @returns {string[]} of all regular files in it */
function textsIn(directory) {
  return readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .filter((file) => !file.includes('/versions/'))
    .map((file) => readFileSync(file, 'utf8'));
}
