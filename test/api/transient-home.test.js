/** Where `run` makes its home, and what it does not take for one. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import {
  makeTransientHome,
  removeAbandonedHomes,
  runningHomes,
} from '../../src/api/foreground/transient-home.js';
import { takeLock } from '../../src/daemon/lock.js';

const NOBODY = 65534;
const NAME = `nodecluster-run-${process.geteuid()}-`;
const skip = process.getuid() === 0 ? false : 'only root can give a directory to another user';

/** @param {import('tap').Test} t */
function directoryOf(t) {
  const directory = mkdtempSync(join(tmpdir(), 'nc-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  return directory;
}

t.test('a directory of another user, as after su', { skip }, async (t) => {
  const foreign = directoryOf(t);
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
  const parent = directoryOf(t);
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

t.test('two of them clean up at once', async (t) => {
  const parent = directoryOf(t);
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
