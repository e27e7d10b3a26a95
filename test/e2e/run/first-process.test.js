/** `run` as the first process of a container: its own pid namespace, a read-only root, a user without a name. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../../support/files.js';
import { PACKAGE, testHome, watched } from '../../support/home.js';
import { childrenOf, commandOf, processesOf } from '../../support/processes.js';
import { plainEnv, spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';

const RUNTIME = join(PACKAGE, 'bin/nodecluster-runtime');
const NAMESPACES = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
const isPermitted = spawnSync('unshare', [...NAMESPACES, 'true']).status === 0;
const skip = !isPermitted && 'it needs root, for namespaces of its own';

/** Each orphan lives for a moment after its parent, and then ends with nobody to wait for it. */
const MAKES_ORPHANS = `const { spawn } = require('node:child_process');
  const orphan = '(sh -c "sleep 0.1; exit 7" &)';
  for (let count = 0; count < 5; count++) spawn('sh', ['-c', orphan], { stdio: 'ignore' });
  setInterval(() => {}, 1000);
  setTimeout(() => console.log('orphans', process.getuid(), process.env.HOME), 1000);`;

/** Its transient home goes with it, also after kill -9. */
const OWN_MEMORY = 'mount -t tmpfs tmpfs /dev/shm';
const READ_ONLY = 'mount -o remount,ro,bind / /';
const AS_USER = ['setpriv', '--reuid=12345', '--regid=12345', '--clear-groups'];

function inContainer(t, { mounts = [], as = [], files = {} } = {}) {
  const { root } = testHome(t);
  writeFiles(root, { 'app.cjs': MAKES_ORPHANS, ...files });
  chmodSync(root, 0o755);
  const prepare = [OWN_MEMORY, ...mounts, 'exec "$@"'].join(' && ');
  const command = ['sh', '-c', prepare, 'sh', ...as, RUNTIME, join(root, 'app.cjs')];
  const args = [...NAMESPACES, ...command, '--name', 'api'];
  const { PATH } = plainEnv(root);
  const run = watched(spawnClean('unshare', args, { cwd: root, env: { PATH } }), 'run');
  /** Below unshare. */
  const first = () => childrenOf(Number(run.child.pid))[0];
  return { ...run, root, first };
}

t.test('it reaps strangers, and passes on signals and the exit code', { skip }, async (t) => {
  const { said, ended, root, first } = inContainer(t);
  await said(/orphans/);
  t.match(commandOf(first()), /\/bin\/sh .*nodecluster-runtime/);
  const zombies = () => processesOf(root).filter((pid) => commandOf(pid) === '');
  await until(() => zombies().length === 0, 'every orphan to be reaped');
  process.kill(first(), 'SIGTERM');
  t.match(await ended, { code: 0, stderr: /SIGTERM: stopping/ });
  t.same(processesOf(root), []);
});

t.test('SIGTERM before Node runs', { skip }, async (t) => {
  // The script calls it before it starts Node.
  const dirname = '#!/bin/sh\nkill -TERM 1\nexec /usr/bin/dirname "$@"\n';
  const files = { dirname };
  const first = ['sh', '-c', 'chmod +x dirname && PATH=$PWD:$PATH exec "$@"', 'sh'];
  t.match(await inContainer(t, { files, as: first }).ended, { code: 143, stdout: '' });
});

t.test('kill -9 of the Node process', { skip }, async (t) => {
  const { said, ended, root, first } = inContainer(t);
  await said(/orphans/);
  process.kill(childrenOf(first())[0], 'SIGKILL');
  t.match(await ended, { code: 137 });
  t.same(processesOf(root), [], 'nothing survives');
});

t.test('a read-only root, any uid, no HOME', { skip }, async (t) => {
  const { said, ended, root, first } = inContainer(t, { mounts: [READ_ONLY], as: AS_USER });
  await said(/orphans 12345 undefined/);
  process.kill(first(), 'SIGTERM');
  t.match(await ended, { code: 0 });
  t.same(processesOf(root), []);
});
