/** One daemon holds the lock of a home; copies of the package stay while something runs from them. */
import t from 'tap';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path, { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeUnusedCopies } from '../../src/daemon/copies.js';
import { claimLock, takeLock } from '../../src/daemon/lock.js';
import { ensureHome, homePaths } from '../../src/shared/home.js';
import { copyPackage } from '../../src/shared/package/copy.js';
import { daemonPid, identityText } from '../../src/shared/processes/daemon-lock.js';
import { identify } from '../../src/shared/processes/identity.js';
import { ioError, replaceFs } from '../support/replaced-fs.js';
import { plainEnv, spawnClean } from '../support/spawn-clean.js';
import { within } from '../support/until.js';

const LOCK = fileURLToPath(new URL('../../src/daemon/lock.js', import.meta.url));
const CONTENDER = `
  import { takeLock } from ${JSON.stringify(LOCK)};
  process.stdin.once('data', () => {
    const held = takeLock(process.argv[1]);
    process.stdout.write(held ? 'held' : 'refused');
    if (held) setInterval(() => {}, 1e6);
    else process.exit();
  });
  process.stdout.write('ready ');
`;

/**
 * Ten processes that are let go at the same moment;
 * @returns the pids of those that hold it
 */
async function contend(t, home) {
  const contenders = Array.from({ length: 10 }, () =>
    spawnClean(process.execPath, ['--input-type=module', '-e', CONTENDER, home], {
      env: plainEnv(),
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  const answers = contenders.map(async (child) => {
    let text = '';
    for await (const chunk of child.stdout) {
      text += chunk;
      if (text.endsWith('held')) return child;
    }
    t.equal(text, 'ready refused');
    return null;
  });
  await within(Promise.all(contenders.map(({ stdout }) => once(stdout, 'readable'))), 'ten starts');
  for (const { stdin } of contenders) stdin.write('go');
  return (await within(Promise.all(answers), 'ten answers')).filter(Boolean);
}

t.test('one of ten processes holds the lock, and after its SIGKILL one other', async (t) => {
  const home = t.testdir();
  for (let round = 1; round <= 2; round++) {
    const holders = await contend(t, home);
    t.equal(holders.length, 1, `round ${round}`);
    const [holder] = holders;
    t.strictSame(readdirSync(home), [`daemon.lock.${round}`]);
    const exit = once(holder, 'exit');
    holder.kill('SIGKILL');
    await exit;
  }
});

t.test('only a live holder keeps the lock', async (t) => {
  const home = t.testdir({ 'daemon.lock.1': 'garbage', 'daemon.lock.2': {} });
  const digits = '9'.repeat(20);
  for (const name of [digits, 'notes']) writeFileSync(path.join(home, `daemon.lock.${name}`), '');
  t.equal(takeLock(home), true);
  const names = ['1', '2', '3', digits, 'notes'].map((name) => `daemon.lock.${name}`);
  t.strictSame(readdirSync(home).sort(), names, 'what is not a lock stays');
  t.equal(takeLock(home), true, 'it is held already');
  const other = path.join(home, 'other');
  mkdirSync(other);
  const { pid, bootId } = identify(process.pid);
  symlinkSync(`${pid} ${bootId} 1`, path.join(other, 'daemon.lock.3'));
  symlinkSync('garbage', path.join(other, 'daemon.lock.4'));
  t.equal(takeLock(other), true, 'a reused pid is not the holder');
});

t.test('a home that cannot be read: it is unknown who holds the lock', async (t) => {
  const home = t.testdir({ loop: t.fixture('symlink', 'loop') });
  const loop = path.join(home, 'loop');
  t.throws(() => daemonPid(loop), { code: 'E_HOME_LOCK', data: { home: loop } });
  t.throws(() => takeLock(loop), { code: 'E_HOME_LOCK' });
  t.equal(daemonPid(path.join(home, 'missing')), null, 'nobody is in a home that does not exist');
});

t.test('the newest lock is held although an earlier one cannot be removed', async (t) => {
  const home = t.testdir();
  const { pid, bootId } = identify(process.pid);
  symlinkSync(`${pid} ${bootId} 1`, path.join(home, 'daemon.lock.1'));
  replaceFs(t, 'rmSync', () => () => {
    throw ioError('unlink');
  });
  t.equal(takeLock(home), true);
  t.equal(daemonPid(home), process.pid);
});

t.test('a read that fails after the other daemon was asked to leave is tried again', async (t) => {
  const paths = ensureHome(path.join(t.testdir(), 'home'));
  const left = path.join(paths.home, 'left');
  const program = `process.on('SIGTERM', () => { fs.writeFileSync(process.argv[1], ''); process.exit(); });
    setInterval(() => {}, 1e6);
    console.log();`;
  const other = spawnClean(process.execPath, ['-e', program, left], {
    env: plainEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => other.kill('SIGKILL'));
  await once(other.stdout, 'data');
  symlinkSync(identityText(identify(other.pid)), path.join(paths.home, 'daemon.lock.1'));
  let reads = 0;
  let failures = 0;
  // Every second one: also just after the lock was created.
  replaceFs(t, 'readdirSync', (list) => (directory, ...rest) => {
    const isDue = directory === paths.home && existsSync(left);
    if (isDue && ++reads % 2 === 0 && failures < 5 && ++failures) throw ioError('scandir');
    return list(directory, ...rest);
  });
  await claimLock(paths);
  t.equal(daemonPid(paths.home), process.pid);
  t.ok(failures > 0);
});

function start(t) {
  const paths = homePaths(t.testdir());
  const { versions } = paths;
  for (const name of ['used', 'unused', 'unused.1234.tmp']) {
    mkdirSync(join(versions, name, 'src'), { recursive: true });
    utimesSync(join(versions, name), 1, 1);
  }
  const left = () => readdirSync(versions).sort();
  const ofUsed = { record: { root: join(versions, 'used') } };
  const remove = (...primaries) => {
    const all = () => [ofUsed, ...primaries];
    removeUnusedCopies({ paths, table: { primaries: { all } } });
  };
  return { versions, left, remove };
}

t.test('what runs keeps its copy, and so does what is about to run', async (t) => {
  const { versions, left, remove } = start(t);
  const launched = copyPackage(versions);
  utimesSync(launched, 1, 1);
  t.equal(copyPackage(versions), launched, 'a command of another version starts its daemon');
  remove();
  t.same(left(), [basename(launched), 'used']);
  utimesSync(launched, 1, 1);
  remove();
  t.same(left(), ['used']);
});

t.test('nothing is removed while it is not clear what runs', async (t) => {
  const { left, remove } = start(t);
  const all = left();
  remove({ record: {} });
  t.same(left(), all, 'one that was found by its socket');
});
