/** The environment of a worker: shell, file, `--env`, and when it is updated. */
import t from 'tap';
import { copyApp, writeFiles } from '../../support/files.js';
import { testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';

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

t.test('env shows the source of each variable', async (t) => {
  const { root, ok } = testHome(t);
  copyApp('never-listens.cjs', `${root}/job.cjs`);
  writeFiles(root, {
    '.env': 'FROM_FILE=1\nBOTH=file\n',
    'ecosystem.yml': {
      name: 'other',
      script: './job.cjs',
      min_uptime: '100ms',
      env_file: '.env',
      env: { BOTH: 'env' },
      env_staging: { STAGE: 's' },
    },
  });
  const flags = ['--env-file', '.env', '--set-env', 'BOTH=flag', '--set-env', 'FLAG=1'];
  const env = { FROM_SHELL: '1' };
  await ok(['start', 'job.cjs', '--min-uptime', '100ms', ...flags], { env });
  await ok(['start', 'ecosystem.yml', '--env', 'staging'], { env });
  const lines = async (/** @type {string} */ name) => (await ok(['env', name])).stdout.split('\n');
  const ofFlags = await lines('job');
  for (const line of ['FROM_FILE=1  # file', 'BOTH=flag  # flag', 'FLAG=1  # flag', 'FROM_SHELL=1'])
    t.ok(ofFlags.includes(line), line);
  const ofFile = await lines('other');
  for (const line of ['FROM_FILE=1  # file', 'BOTH=env  # file', 'STAGE=s  # file', 'FROM_SHELL=1'])
    t.ok(ofFile.includes(line), line);
});
