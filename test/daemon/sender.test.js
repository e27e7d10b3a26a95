import t from 'tap';
import { spawn } from 'node:child_process';
import { userInfo } from 'node:os';
import { once } from 'node:events';
import { senderOf } from '../../src/daemon/control/sender.js';

const UNKNOWN = {
  ...{ pid: null, uid: null, account: null, loginUid: null, login: null, terminal: null },
  ...{ origin: null, cwd: null, parent: null, command: null },
};
const LINUX = { skip: process.platform !== 'linux' && 'no /proc' };

t.test('of a process that runs', LINUX, async (t) => {
  const found = await senderOf({ role: 'cli', user: 'alice', pid: process.pid });
  const { uid, username } = userInfo();
  t.match(found, { role: 'cli', user: 'alice', pid: process.pid, uid, account: username });
  t.match(found.command, process.argv0);
  t.equal(found.cwd, process.cwd());
});

/** @param {any} t @param {string[]} args @param {Record<string, string>} [env] */
async function senderWith(t, args, env = {}) {
  const code = 'process.stdout.write("."); setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', code, '--', ...args], {
    env: { ...process.env, ...env },
  });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return senderOf({ role: 'cli', pid: child.pid });
}

t.test('its parent, and where it came from', LINUX, async (t) => {
  const found = await senderWith(t, [], { SSH_CONNECTION: '2001:db8::1 4711 2001:db8::2 22' });
  t.match(found, { origin: '2001:db8::1', parent: process.argv0 });
  t.ok(found.parent.length <= 200);
  t.equal((await senderWith(t, [], { SSH_CONNECTION: 'x\n 1' })).origin, null);
});

t.test('a long command line keeps its beginning, without a part of a secret', LINUX, async (t) => {
  const { command } = await senderWith(t, ['reload', ...Array(3500).fill('shop')]);
  t.equal(command.length, 1000);
  t.match(command, /reload shop shop .*…$/);
  const long = `https://u:${'planted'.repeat(1000)}@h/`;
  t.match((await senderWith(t, ['--say', long])).command, /--say …$/);
  t.match(
    (await senderWith(t, ['--set-env=A_TOKEN=planted x', ''])).command,
    /'--set-env=A_TOKEN=\*+'$/,
  );
});

t.test('without a pid, and of a process that is gone: unknown', async (t) => {
  const nameless = await senderOf({ role: 'x'.repeat(100) });
  t.strictSame(nameless, { ...UNKNOWN, role: `${'x'.repeat(63)}…`, user: null });
  const gone = await senderOf({ role: 'cli', pid: 2 ** 31 - 1 });
  t.strictSame(gone, { ...UNKNOWN, role: 'cli', user: null, pid: 2 ** 31 - 1 });
});
