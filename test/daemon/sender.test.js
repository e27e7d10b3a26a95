import t from 'tap';
import { userInfo } from 'node:os';
import { senderOf } from '../../src/daemon/control/describe-request.js';

const UNKNOWN = { user: null, account: null, login: null, terminal: null, cwd: null };
const LINUX = { skip: process.platform !== 'linux' && 'no /proc' };

t.test('of a process that runs', LINUX, async (t) => {
  const found = await senderOf({ role: 'cli', user: 'alice', pid: process.pid });
  t.match(found, { role: 'cli', user: 'alice', account: userInfo().username });
  t.equal(found.cwd, process.cwd());
});

t.test('without a pid, and of a process that is gone: unknown', async (t) => {
  const nameless = await senderOf({ role: 'x'.repeat(100) });
  t.strictSame(nameless, { ...UNKNOWN, role: `${'x'.repeat(63)}…` });
  t.strictSame(await senderOf({ role: 'cli', pid: 2 ** 31 - 1 }), { ...UNKNOWN, role: 'cli' });
});
