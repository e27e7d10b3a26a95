/** What another user of the machine can do to a home whose parent directory is open to all. */
import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { homePaths } from '../../../src/shared/home.js';
import { placeOf } from '../../support/primary-place.js';
import { NODE, app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';

const skip = process.geteuid?.() !== 0 && 'only root can become another user';
const NOBODY = 65534;
const CONNECT =
  "require('net').connect(process.argv[1]).on('connect',()=>process.exit(0)).on('error',()=>process.exit(1))";

t.test('nobody else can enter, connect, signal or read', { skip }, async (t) => {
  const home = testHome(t);
  chmodSync(home.root, 0o755);
  await home.ok(['start', app('http-pid.cjs'), '--name', 'api'], {
    env: { PORT: String(await freePort()) },
  });
  const { primaryPid, workers } = await home.appNamed('api');
  const { daemon } = await home.list();
  const paths = homePaths(home.home);
  for (const file of [home.home, ...filesIn(home.home)]) {
    const stats = lstatSync(file);
    // The permissions of a link do not count.
    if (!stats.isSymbolicLink()) t.equal(stats.mode & 0o077, 0, file);
  }
  const asNobody = (command, ...args) =>
    spawnSync(command, args, { uid: NOBODY, gid: NOBODY, cwd: '/', env: {} }).status;
  t.equal(asNobody('/bin/true'), 0);
  for (const socket of [paths.daemonSocket, placeOf(paths, 'api').socket]) {
    t.equal(asNobody(NODE, '-e', CONNECT, socket), 1, socket);
  }
  for (const file of [paths.desired, paths.daemonLog, paths.logFile('api', 'out')]) {
    t.not(asNobody('/bin/cat', file), 0, file);
  }
  for (const pid of [daemon.pid, primaryPid, workers[0].pid]) {
    t.not(asNobody('/bin/kill', '-0', String(pid)), 0, 'a signal');
    t.not(asNobody('/bin/cat', `/proc/${pid}/environ`), 0, 'the environment');
  }
});

function filesIn(home) {
  return readdirSync(home, { recursive: true })
    .map(String)
    .filter((name) => !name.startsWith('versions'))
    .map((name) => path.join(home, name));
}
