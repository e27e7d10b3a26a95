import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { accountOf, nameOfUser } from '../../../src/daemon/users/account.js';
import { emptyLogFiles } from '../../../src/shared/log-files/rotated-files.js';

const UID = 54321;

/** The command that asks the directory does this. */
function answerWith(t, command) {
  const directory = t.testdir({ getent: '', id: '' });
  for (const name of ['getent', 'id']) {
    writeFileSync(path.join(directory, name), `#!/bin/sh\n${command}\n`);
    chmodSync(path.join(directory, name), 0o755);
  }
  const { PATH } = process.env;
  process.env.PATH = directory;
  t.teardown(() => (process.env.PATH = PATH));
}

for (const [does, command, name] of [
  ['knows it', `echo 'ann:x:${UID}:77::/home/ann:'`, 'ann'],
  ['does not know it', process.platform === 'darwin' ? 'exit 1' : 'exit 2', String(UID)],
  ['fails', 'exit 7', null],
  ['is killed, as after too long', 'kill -TERM $$', null],
]) {
  t.test(`the directory ${does}`, async (t) => {
    answerWith(t, command);
    if (name === null) await t.rejects(accountOf(UID), /could not be looked up/);
    else t.match(await accountOf(UID), { name });
    if (name === null) t.equal(await nameOfUser(UID), String(UID), 'the number is shown');
  });
}

t.test('logs of an app that does not run are emptied', async (t) => {
  const own = ['app.log', 'app.log.000017', 'app.log.000017.bak', 'app.log.000018.gz'];
  const dir = t.testdir(Object.fromEntries(own.map((name) => [name, 'text'])));
  execFileSync('mkfifo', [path.join(dir, 'fifo.log')]);
  const files = ['fifo.log', 'gone.log', 'app.log'].map((name) => path.join(dir, name));
  const refusal = { code: 'E_LOG_FILE', data: { file: /fifo\.log$/, reason: 'EINVAL' } };
  await t.rejects(emptyLogFiles(files), refusal, 'of which one cannot be emptied');
  t.same(readdirSync(dir), ['app.log', 'app.log.000017.bak', 'fifo.log']);
  t.equal(statSync(path.join(dir, 'app.log')).size, 0);
});
