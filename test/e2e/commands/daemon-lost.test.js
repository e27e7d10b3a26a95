/** Commands whose daemon is killed or frozen, that are interrupted or do not wait, or are many at once in an empty home. */
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { commands } from '../../../src/cli/commands.js';
import { homePaths } from '../../../src/shared/home.js';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { NODE, app, testHome } from '../../support/home.js';
import { startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { placeOf } from '../../support/primary-place.js';
import { processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';

t.jobs = 3;

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

  const left = ['reload', 'api', '--update-env', '--on-failure', 'rollback', '--no-wait'];
  // On a busy machine a command takes seconds.
  const { stderr } = await ok(left, { env: { ...env, LATE_MS: '2500', FAIL_SLOT: '2' } });
  t.match(stderr, /accepted/);
  t.equal((await described('api')).busy, 'reload');
  const { lastReload } = await reloaded(4);
  t.match(lastReload, { ok: false, kept: [2], rolledBack: [0, 1], reason: /code 1/ });
  t.match((await ok(['describe', 'api'])).stdout, /failed .* ago: .*1 kept, 2 rolled back/);
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
});

/** They need no daemon. */
const ALONE = [
  'init',
  'completion',
  'startup',
  'unstartup',
  'daemon',
  'import',
  'export',
  'run',
  'audit',
];
/** Words that follow the command. */
const WORDS = {
  start: ['other.js'],
  serve: ['.'],
  apply: ['eco.yml'],
  scale: ['api', '2'],
  send: ['api', '{}'],
  signal: ['SIGUSR2', 'api'],
  profile: ['api', '--cpu', '1s'],
  monit: null, // needs a terminal
  agent: null, // answers as before until the daemon is back
  doctor: null, // finds it, as its own test shows
  report: null, // says so in the archive
  kill: null, // kills it
};
const NO_WORDS = 'ls web metrics ping save resurrect update jlist'.split(' ');

t.test('nothing replaces it while no app runs', async (t) => {
  const { root, ok, list, begin, home, startApi } = testHome(t);
  for (const file of ['other.js', 'ecosystem.config.js']) writeFileSync(path.join(root, file), '');
  writeFileSync(path.join(root, 'eco.yml'), 'apps: [{name: api, script: other.js}]');
  await startApi();
  await ok(['stop', 'api']);
  const { daemon } = await list();
  process.kill(daemon.pid, 'SIGSTOP');
  const names = commands.map(({ name }) => name);
  const tried = names.filter((name) => !ALONE.includes(name) && WORDS[name] !== null);
  // Each waits for 5 s, so they do so together.
  const all = tried.map(async (name) => {
    const words = WORDS[name] ?? (NO_WORDS.includes(name) ? [] : ['api']);
    const { code, stderr } = await begin([name, ...words]).ended;
    t.equal(code, 8, name);
    t.match(stderr, `(pid ${daemon.pid}) does not answer`, name);
    t.match(stderr, `kill -9 ${daemon.pid}`, name);
  });
  await Promise.all(all);
  const killed = await ok(['kill']);
  t.match(killed.stderr, `The daemon (pid ${daemon.pid}) did not answer and was killed.`);
  t.equal(killed.stdout, 'No app was running.\n');
  t.equal(daemonPid(home), null);
});

t.test('a primary kills it and starts the next one; kill need not wait for that', async (t) => {
  const { ok, list, home, startApi } = testHome(t);
  await startApi();
  const before = await list();
  process.kill(before.daemon.pid, 'SIGSTOP');
  await until(isOther(home, before.daemon.pid), 'the next daemon', 60_000);
  const { daemon, apps } = await list();
  t.equal(apps[0].primaryPid, before.apps[0].primaryPid);
  t.equal(apps[0].workers[0].pid, before.apps[0].workers[0].pid);

  process.kill(daemon.pid, 'SIGSTOP');
  t.match((await ok(['kill'])).stdout, /^Stopped api and the daemon\./);
  // The primary may have started another one just before, which sees that nothing needs it and leaves.
  await until(() => daemonPid(home) === null, 'no daemon');
});

t.test('a command replaces it if the only primary is frozen too', async (t) => {
  const { ok, list, home, startApi } = testHome(t);
  await startApi();
  const before = await list();
  process.kill(before.apps[0].primaryPid, 'SIGSTOP');
  process.kill(before.daemon.pid, 'SIGSTOP');
  const { stderr } = await ok(['ls']);
  t.match(stderr, `The daemon (pid ${before.daemon.pid}) did not answer and was killed.`);
  t.not(daemonPid(home), before.daemon.pid);
  const replaced = async () => {
    const [{ primaryPid }] = (await list()).apps;
    return ![null, before.apps[0].primaryPid].includes(primaryPid);
  };
  await until(replaced, 'the next primary', 60_000);
});

function isOther(home, pid) {
  return () => {
    const now = daemonPid(home);
    return now === pid ? null : now;
  };
}

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
