/** Where `run` makes its home, and what it does not take for one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import t from 'tap';
import {
  makeTransientHome,
  removeAbandonedHomes,
} from '../../../src/features/run/transient-home.js';
import { runningHomes } from '../../../src/shared/transient-homes.js';
import { takeLock } from '../../../src/daemon/lock.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const NOBODY = 65534;
const NAME = `nodecluster-run-${process.geteuid()}-`;
const skip = process.getuid() === 0 ? false : 'only root can give a directory to another user';

t.test('a directory of another user, as after su', { skip }, async (t) => {
  const foreign = temporaryDirectory(t);
  const env = { XDG_RUNTIME_DIR: foreign };
  const abandoned = join(foreign, `${NAME}old`);
  mkdirSync(abandoned, { mode: 0o700 });
  takeLock(abandoned);
  t.same(runningHomes(env), [abandoned], 'as long as it is our own');
  chownSync(foreign, NOBODY, NOBODY);
  t.notMatch(runningHomes(env), [abandoned]);
  const home = makeTransientHome(env);
  t.teardown(() => rmSync(home, { recursive: true }));
  t.not(dirname(home), foreign);
});

t.test('what only looks like an abandoned home', async (t) => {
  const parent = temporaryDirectory(t);
  const env = { XDG_RUNTIME_DIR: parent };
  const [real, open, link, target] = ['real', 'open', 'link', 'target'].map((name) =>
    join(parent, name === 'target' ? name : `${NAME}${name}`),
  );
  for (const directory of [real, open, target])
    mkdirSync(join(directory, 'apps', 'web'), { recursive: true });
  chmodSync(real, 0o700);
  chmodSync(open, 0o777);
  symlinkSync(target, link);
  for (const directory of [real, open, target]) utimesSync(directory, 1, 1);
  await removeAbandonedHomes(env);
  t.notOk(existsSync(real));
  t.ok(existsSync(open), 'others could have put anything there');
  t.ok(existsSync(link));
  t.ok(existsSync(join(target, 'apps')));
});

const { platform } = process;
const isRefused = platform === 'linux' ? false : `${platform} refuses such a connection`;
t.test('a daemon that accepts no more at the moment', { skip: isRefused }, async (t) => {
  const parent = temporaryDirectory(t);
  const home = join(parent, `${NAME}busy`);
  mkdirSync(home, { mode: 0o700 });
  const path = join(home, 'daemon.sock');
  const program = `require('net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => console.log());`;
  const daemon = spawn(process.execPath, ['-e', program, path]);
  t.teardown(() => daemon.kill('SIGKILL'));
  await once(daemon.stdout, 'data');
  daemon.kill('SIGSTOP');
  const clients = Array.from({ length: 5 }, () => connect(path).on('error', () => {}));
  t.teardown(() => clients.forEach((client) => client.destroy()));
  const [{ code }] = await once(clients[4], 'error');
  t.equal(code, 'EAGAIN');
  utimesSync(home, 1, 1);
  await removeAbandonedHomes({ XDG_RUNTIME_DIR: parent });
  t.ok(existsSync(home));
});

t.test('two of them clean up at once', async (t) => {
  const parent = temporaryDirectory(t);
  const homes = Array.from({ length: 20 }, (_, count) => join(parent, `${NAME}${count}`));
  for (const home of homes) {
    mkdirSync(home, { mode: 0o700 });
    utimesSync(home, 1, 1);
  }
  const env = { XDG_RUNTIME_DIR: parent };
  await t.resolves(Promise.all([removeAbandonedHomes(env), removeAbandonedHomes(env)]));
  t.same(
    homes.filter((home) => existsSync(home)),
    [],
  );
});
