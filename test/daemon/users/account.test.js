/** Accounts that a directory service knows. */
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { accountOf, userNameOf } from '../../../src/daemon/users/account.js';

const UID = 54321;

for (const { does, command, answer } of [
  { does: 'knows it', command: `echo 'ann:x:${UID}:77::/home/ann:'`, answer: 'ann' },
  { does: 'does not know it', command: 'exit 2', answer: String(UID) },
  { does: 'fails', command: 'exit 1', answer: null },
  { does: 'is killed, as after too long', command: 'kill -TERM $$', answer: null },
]) {
  t.test(`the directory ${does}`, async (t) => {
    const directory = t.testdir();
    const name = process.platform === 'darwin' ? 'id' : 'getent';
    writeFileSync(path.join(directory, name), `#!/bin/sh\n${command}\n`);
    chmodSync(path.join(directory, name), 0o755);
    const { PATH } = process.env;
    process.env.PATH = directory;
    t.teardown(() => (process.env.PATH = PATH));
    if (answer === null) await t.rejects(accountOf(UID), /could not be looked up/);
    else t.match(await accountOf(UID), { name: answer });
  });
}

t.test('without an answer the number is shown', async (t) => {
  const { PATH } = process.env;
  t.teardown(() => (process.env.PATH = PATH));
  const directory = t.testdir({ getent: '#!/bin/sh\nexit 1\n', id: '#!/bin/sh\nexit 2\n' });
  for (const name of ['getent', 'id']) chmodSync(path.join(directory, name), 0o755);
  process.env.PATH = directory;
  t.equal(await userNameOf(UID), String(UID));
});
