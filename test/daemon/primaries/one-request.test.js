/** What is known of an app's process that could not be asked. */
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { requestOnce } from '../../../src/daemon/primaries/connection.js';

t.test('only when nobody listens on its socket it is gone', async (t) => {
  const directory = t.testdir();
  const at = (name) => path.join(directory, name);
  writeFileSync(at('nobody-listens'), '');
  symlinkSync('unreachable', at('unreachable'));
  const replyOf = (name) => requestOnce({ pid: 1, socket: at(name) }, 'abandon', {});
  t.equal(await replyOf('missing'), 'absent');
  t.equal(await replyOf('nobody-listens'), 'absent');
  t.equal(await replyOf('unreachable'), 'unasked');
});
