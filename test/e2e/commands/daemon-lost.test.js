/** A command whose daemon is killed, or that is interrupted: the daemon’s work goes on. And many at once in an empty home. */
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { homePaths } from '../../../src/shared/home.js';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { NODE, app, testHome } from '../../support/home.js';
import { startLoad } from '../../support/http-load.js';
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
  t.matchSnapshot(stderr.replace(/^api starting\n/, ''), 'stderr');
  const next = daemonPid(home);
  t.ok(next !== null && next !== killed, 'there is a daemon again');
  await until(async () => (await appNamed('api')).status === 'online', 'the app to be online');
});

t.test('a reload goes on, whatever becomes of its command', async (t) => {
  const { ok, begin, list, pidsOf, described } = testHome(t);
  const env = { PORT: String(await freePort()), LATE_MS: '300' };
  await ok(['start', app('fails-in-slot.cjs'), '-i', '3', '--name', 'api'], { env });
  const load = startLoad(t, { port: Number(env.PORT), clients: 3 });
  /** Waits until the reload has ended, and what it did is what the daemon wants. */
  const reloaded = (generation) =>
    until(async () => {
      const shown = await described('api');
      return shown.lastReload?.generation === generation && !shown.busy && shown;
    }, 'the reload to end');
  let before = await pidsOf('api');
  const areNew = async () => !(await pidsOf('api')).some((pid) => before.includes(pid));
  const interrupted = begin(['reload', 'api']);
  await interrupted.said(/api:0 online/);
  interrupted.child.kill('SIGINT');
  t.match(await interrupted.ended, { code: 130, stderr: /continues/ });
  t.match((await reloaded(2)).lastReload, { ok: true, done: [0, 1, 2] });
  t.ok(await areNew());

  before = await pidsOf('api');
  const { daemon, apps } = await list();
  const order = ['reload', 'api', '--update-env', '--json'];
  const lost = begin(order, { env: { ...env, APP_VERSION: '2' } });
  await lost.said(/api:0 online/);
  process.kill(daemon.pid, 'SIGKILL');
  t.match(await lost.ended, { code: 8, stdout: '', stderr: /E_DAEMON_LOST/ });
  const end = await reloaded(3);
  t.match(end.lastReload, { ok: true, done: [0, 1, 2] });
  t.equal(end.primaryPid, apps[0].primaryPid);
  t.ok(await areNew());
  t.not((await list()).daemon.pid, daemon.pid);
  await until(
    async () => /^APP_VERSION=2$/m.test((await ok(['env', 'api'])).stdout),
    'the next daemon to want what the reload brought',
  );

  const failing = ['reload', 'api', '--update-env', '--on-failure', 'rollback'];
  // On a busy machine a command takes seconds.
  const left = begin(failing, { env: { ...env, LATE_MS: '2500', FAIL_SLOT: '2' } });
  await left.said(/starting/);
  left.child.kill('SIGINT');
  t.match(await left.ended, { code: 130 });
  t.equal((await described('api')).busy, 'reload');
  const { lastReload } = await reloaded(4);
  t.match(lastReload, { ok: false, reason: { kind: 'exit', code: 1 } });
  const { kept, rolledBack } = lastReload;
  // The third may fail before the second is online.
  t.match([kept.at(-1), rolledBack[0]], [2, 0]);
  t.same([...rolledBack, ...kept].sort(), [0, 1, 2]);
  t.match((await ok(['describe', 'api'])).stdout, /reload by root, failed: exited with code 1/);
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
});

t.test('every start succeeds, in one daemon', async (t) => {
  const home = testHome(t);
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  const starts = names.map(async (name) => {
    const env = { PORT: String(await freePort()) };
    return home.run(['start', app('http-pid.cjs'), '--name', name], { env });
  });
  const lists = Array.from({ length: 18 }, () => home.run(['ls']));
  for (const { code, stderr } of await Promise.all([...starts, ...lists])) {
    t.equal(code, 0, stderr);
  }
  const { daemon, apps } = await home.list();
  t.strictSame(new Set(apps.map(({ name }) => name)), new Set(names));
  const pids = apps.flatMap(({ primaryPid, workers: [{ pid }] }) => [primaryPid, pid]);
  const expected = new Set([daemon.pid, ...pids]);
  await until(() => processesOf(home.root).length === expected.size, 'other processes to exit');
  t.strictSame(new Set(processesOf(home.root)), expected);
  t.equal(readdirSync(path.join(home.home, 'versions')).length, 1);
});
