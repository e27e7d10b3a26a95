/** A command whose daemon is killed says that it does not know, and leaves no app without a daemon. */
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { homePaths } from '../../../src/shared/home.js';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { NODE, app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';
import { placeOf } from '../../support/primary-place.js';
import { processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';

t.test('the daemon and the only primary are killed while the app starts', async (t) => {
  const { root, home, begin, appNamed } = testHome(t);
  const [interpreter, go] = ['slow-node', 'go'].map((name) => path.join(root, name));
  const wait = `while [ ! -e '${go}' ]; do sleep 0.05; done`;
  writeFileSync(interpreter, `#!/bin/sh\n${wait}\nexec '${NODE}' "$@"\n`);
  chmodSync(interpreter, 0o755);
  const args = ['start', app('http-pid.cjs'), '--name', 'api', '--interpreter', interpreter];
  const command = begin(args, { env: { PORT: String(await freePort()) } });
  await until(() => placeOf(homePaths(home), 'api'), 'the launch to begin');
  const killed = daemonPid(home);
  for (const pid of processesOf(root)) if (pid !== command.child.pid) process.kill(pid, 'SIGKILL');
  writeFileSync(go, '');
  const { code, stdout, stderr } = await command.ended;
  t.equal(code, 8);
  t.equal(stdout, '', 'no table of apps that it does not know');
  // The primary may have come so far, before it was killed.
  t.matchSnapshot(stderr.replace(/^api:0 starting pid \d+\n/, ''), 'stderr');
  const next = daemonPid(home);
  t.ok(next !== null && next !== killed, 'there is a daemon again');
  await until(async () => (await appNamed('api')).status === 'online', 'the app to be online');
});

t.test('the daemon is killed during a reload, which goes on', async (t) => {
  const { begin, list, appNamed, startApi } = testHome(t);
  await startApi(['-i', '2']);
  const { daemon } = await list();
  const command = begin(['reload', 'api', '--json']);
  await command.said(/starting/);
  process.kill(daemon.pid, 'SIGKILL');
  const { code, stdout, stderr } = await command.ended;
  t.equal(code, 8);
  t.equal(stdout, '');
  t.match(stderr, /E_DAEMON_LOST/);
  const isReplaced = async () => {
    const { workers, busy } = await appNamed('api');
    return busy === undefined && workers.every(({ generation }) => generation === 2);
  };
  await until(isReplaced, 'the reload to be complete');
  t.not((await list()).daemon.pid, daemon.pid);
});
