import t from 'tap';
import { senderOf } from '../../src/daemon/control/sender.js';

const UNKNOWN = { pid: null, uid: null, loginUid: null, terminal: null, command: null };

t.test(
  'of a process that runs',
  { skip: process.platform !== 'linux' && 'no /proc' },
  async (t) => {
    const found = await senderOf({ role: 'cli', version: '1', user: 'alice', pid: process.pid });
    t.match(found, { role: 'cli', user: 'alice', pid: process.pid, uid: process.getuid?.() });
    t.match(found.command, process.argv0);
    t.ok(found.command.length <= 400);
  },
);

t.test('without a pid, and of a process that is gone: unknown', async (t) => {
  t.strictSame(await senderOf({ role: 'x'.repeat(100), version: '1' }), {
    ...UNKNOWN,
    role: 'x'.repeat(64),
    user: null,
  });
  const gone = await senderOf({ role: 'cli', version: '1', pid: 2 ** 31 - 1 });
  t.strictSame(gone, { ...UNKNOWN, role: 'cli', user: null, pid: 2 ** 31 - 1 });
});
