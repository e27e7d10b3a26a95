import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, utimesSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { removeUnusedPublicCopies } from '../../../src/daemon/users/public-copies.js';

const skip = process.platform === 'linux' ? false : 'only Linux shows open files in /proc';

t.test('a copy that a process has open, or that is new, stays', { skip }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'nc-copies-'));
  for (const name of ['used', 'unused', 'new'])
    mkdirSync(join(directory, name, 'src'), { recursive: true });
  for (const name of ['used', 'unused']) utimesSync(join(directory, name), 1, 1);
  const inUse = openSync(join(directory, 'used', 'src'), 'r');
  const user = spawn('sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', inUse] });
  closeSync(inUse);
  await once(user, 'spawn');

  removeUnusedPublicCopies(directory);
  t.same(readdirSync(directory).sort(), ['new', 'used']);
  user.kill();
  await once(user, 'exit');
  removeUnusedPublicCopies(directory);
  t.same(readdirSync(directory), ['new']);
});
