/** An archive with secrets of every kind planted in it, with a daemon and without. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHome } from '../../support/home.js';
import { PLANTED } from './planted.js';

/** @param {string} root @returns {{file: string, text: string, names: string[]}} all that is in the archive there */
function unpacked(root) {
  const [name] = readdirSync(root).filter((each) => /^nodecluster-report-\w+\.tar\.gz$/.test(each));
  const file = join(root, name);
  const directory = join(root, 'unpacked');
  mkdirSync(directory);
  execFileSync('tar', ['-xzf', file, '-C', directory]);
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const files = names
    .map((each) => join(directory, each))
    .filter((each) => statSync(each).isFile());
  return { file, names, text: files.map((each) => readFileSync(each, 'utf8')).join('\n') };
}

t.test('with a daemon: views, logs and settings, without any planted secret', async (t) => {
  const { root, home, ok, startApi } = testHome(t);
  await startApi(['--', '--api-key', 'planted30'], {
    env: { SHOP_PASSWORD: 'planted31', SHOP_DB: 'postgres://u:planted32@db/x' },
  });
  const lines = PLANTED.map(([, , text]) => JSON.stringify({ level: 'info', event: 'x', text }));
  writeFileSync(join(home, 'daemon.log'), `${lines.join('\n')}\nknown planted31\n`, { flag: 'a' });
  const texts = PLANTED.map(([, , text]) => text).join('\n');
  writeFileSync(join(home, 'primary.log'), `${texts}\n`, { flag: 'a' });
  const { stdout } = await ok(['report']);
  const { file, text, names } = unpacked(root);
  t.equal(stdout.trim(), file);
  t.equal(statSync(file).mode & 0o777, 0o600);
  const expected = [
    'versions.txt',
    'ls.txt',
    'describe.txt',
    'why.txt',
    'events.txt',
    'machine.txt',
  ];
  t.same(
    [...expected, 'settings.json', 'daemon.log', 'audit.log', 'primary.log'].filter(
      (each) => !names.includes(each),
    ),
    [],
  );
  t.match(text, /api +cluster/);
  t.match(text, /Max open files/);
  for (const [name, secret] of PLANTED) t.notOk(text.includes(secret), name);
  for (const secret of ['planted30', 'planted31', 'planted32'])
    t.notOk(text.includes(secret), secret);

  const printed = await ok(['report', '--print']);
  t.match(printed.stdout, /==> \S+ ls\.txt\n/);
  t.equal(readdirSync(root).filter((each) => each.endsWith('.gz')).length, 1);
});

t.test('without a daemon, and with a log that cannot be read', async (t) => {
  const { root, home, ok } = testHome(t);
  mkdirSync(join(home, 'daemon.log'), { recursive: true, mode: 0o700 });
  await ok(['report']);
  const { text } = unpacked(root);
  t.match(text, 'Not available: no daemon runs');
  t.match(text, /Not available: .*daemon\.log is not a regular file/);
  t.equal(readdirSync(home).filter((each) => each.startsWith('daemon.lock')).length, 0);
});

t.test('a daemon that is stopped is one line, and is left alone', async (t) => {
  const { root, list, ok, startApi } = testHome(t);
  await startApi();
  const { pid } = (await list()).daemon;
  process.kill(pid, 'SIGSTOP');
  t.teardown(() => process.kill(pid, 'SIGCONT'));
  await ok(['report']);
  t.match(unpacked(root).text, /^Not available: The daemon/m);
  process.kill(pid, 'SIGCONT');
});
