/** A command whose daemon is killed, that is interrupted or does not wait: it says so, and the daemon's work goes on. */
import { chmodSync, writeFileSync } from 'node:fs';
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
  t.matchSnapshot(stderr.replace(/^api:0 starting pid \d+\n/, ''), 'stderr');
  const next = daemonPid(home);
  t.ok(next !== null && next !== killed, 'there is a daemon again');
  await until(async () => (await appNamed('api')).status === 'online', 'the app to be online');
});

async function threeWorkers(t) {
  const home = testHome(t);
  const env = { PORT: String(await freePort()), LATE_MS: '300' };
  const start = ['start', app('fails-in-slot.cjs'), '-i', '3', '--name', 'api'];
  await home.ok(start, { env });
  const described = () => home.described('api');
  const load = startLoad(t, { port: Number(env.PORT), clients: 3 });
  /** Waits until the reload has ended, and what it did is what the daemon wants. */
  const reloaded = async () => {
    const end = await until(async () => {
      const shown = await described();
      return shown.lastReload && !shown.busy && shown;
    }, 'the reload to end');
    const { made, failures } = await load.stop();
    t.same(failures, [], `of ${made} requests`);
    return end;
  };
  return { ...home, env, described, reloaded };
}

t.test('Ctrl-C stops watching, not the reload', async (t) => {
  const { begin, pidsOf, reloaded } = await threeWorkers(t);
  const before = await pidsOf('api');
  const reload = begin(['reload', 'api']);
  await reload.said(/api:0 online/);
  reload.child.kill('SIGINT');
  const { code, stderr } = await reload.ended;
  t.equal(code, 130);
  t.match(stderr, /continues/);
  t.match((await reloaded()).lastReload, { ok: true, done: [0, 1, 2], generation: 2 });
  t.notOk((await pidsOf('api')).some((pid) => before.includes(pid)));
});

t.test('the daemon is killed during a reload, which goes on', async (t) => {
  const { begin, env, list, pidsOf, reloaded, ok } = await threeWorkers(t);
  const before = await pidsOf('api');
  const { daemon, apps } = await list();
  const order = ['reload', 'api', '--update-env', '--json'];
  const reload = begin(order, { env: { ...env, APP_VERSION: '2' } });
  await reload.said(/api:0 online/);
  process.kill(daemon.pid, 'SIGKILL');
  t.match(await reload.ended, { code: 8, stdout: '', stderr: /E_DAEMON_LOST/ });
  const end = await reloaded();
  t.match(end.lastReload, { ok: true, done: [0, 1, 2], generation: 2 });
  t.equal(end.primaryPid, apps[0].primaryPid);
  t.notOk((await pidsOf('api')).some((pid) => before.includes(pid)));
  t.not((await list()).daemon.pid, daemon.pid);
  await until(
    async () => /^APP_VERSION=2$/m.test((await ok(['env', 'api'])).stdout),
    'the next daemon to want what the reload brought',
  );
});

t.test('--no-wait returns at once, and describe shows the outcome', async (t) => {
  const { ok, env, described, reloaded } = await threeWorkers(t);
  const order = ['reload', 'api', '--update-env', '--on-failure', 'rollback', '--no-wait'];
  // On a busy machine a command takes seconds.
  const { stderr } = await ok(order, { env: { ...env, LATE_MS: '2500', FAIL_SLOT: '2' } });
  t.match(stderr, /accepted/);
  t.equal((await described()).busy, 'reload');
  const end = await reloaded();
  t.match(end.lastReload, { ok: false, kept: [2], rolledBack: [0, 1], reason: /code 1/ });
  t.match((await ok(['describe', 'api'])).stdout, /failed .* ago: .*1 kept, 2 rolled back/);
});
