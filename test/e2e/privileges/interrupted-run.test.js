/** Ctrl-C in the terminal of `run` reaches its process group, and only the command acts on it. */
import { chmodSync } from 'node:fs';
import t from 'tap';
import { BIN, NODE, app, watched } from '../../support/home.js';
import { NOTHING, testRun } from '../../support/foreground/run.js';
import { freePort } from '../../support/ports.js';
import { commandOf, processesOf } from '../../support/processes.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';
import { skip } from './hostile-home.js';

t.test('an app of another user', { skip }, async (t) => {
  const { root, env, left } = testRun(t);
  chmodSync(root, 0o755);
  const port = `PORT=${await freePort()}`;
  const words = ['run', app('http-pid.cjs'), '--uid', 'nobody', '--set-env', port];
  const options = { cwd: root, env, detached: true };
  const begun = watched(spawnClean(NODE, [BIN, ...words], options), words.join(' '));
  await begun.said(/1 worker online/);
  await until(
    () => processesOf(root).some((pid) => commandOf(pid).includes('receive-sockets')),
    'the process that receives its sockets',
  );
  process.kill(-Number(begun.child.pid), 'SIGINT');
  const { code, stderr } = await begun.ended;
  t.equal(code, 0);
  t.match(stderr, /SIGINT: stopping/);
  t.notMatch(stderr, /sockets-not-held/);
  t.same(left(), NOTHING);
});
