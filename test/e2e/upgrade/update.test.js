/** `update` between two versions of different protocol, in both directions, under load. */
import t from 'tap';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { homePaths } from '../../../src/shared/home.js';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { app, testHome } from '../../support/home.js';
import { startBothLoads } from '../../support/http-load.js';
import { makeOtherVersion } from '../../support/package/other-version.js';
import { freePort } from '../../support/ports.js';
import { commandOf, isRunning, processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';

const NEWER = { version: '9.0.0', protocol: 9, oldest: 8 };
const THROWS = 'throw new Error("broken on purpose");\n';

// They wait more than they work.
t.jobs = 3;

/** @param options of the app */
async function start(t, options = []) {
  const home = testHome(t);
  const port = await home.startApi(['-i', '2', ...options]);
  const look = async () => {
    const { daemon, apps } = await home.list();
    const workers = apps[0].workers.map(({ pid }) => pid);
    return { daemon, primary: apps[0].primaryPid, workers, status: apps[0].status };
  };
  const load = startBothLoads(t, { port, clients: 2 });
  const endLoads = async () => t.match(await load.stop(), { failed: 0, failures: [] });
  const makeNewer = (name, edits = {}) =>
    makeOtherVersion(join(home.root, name), { ...NEWER, edits });
  return { ...home, look, endLoads, makeNewer };
}

t.test('update takes over in both directions, and touches no app', async (t) => {
  const { ok, run, look, endLoads, makeNewer } = await start(t);
  const bin = await makeNewer('newer');
  const before = await look();
  t.match((await ok(['update'])).stdout, /up to date/);

  t.match((await ok(['ls'], { bin })).stdout, /api/, 'the newer command lists');
  const refused = await run(['reload', 'api'], { bin });
  t.match(refused, { code: 6, stderr: /nodecluster update/ });
  t.match((await ok(['update'], { bin })).stdout, /0\.\d+\.\d+ → 9\.0\.0.*same processes/);
  t.match((await ok(['ls'], { bin })).stderr, /primary of api \(older, 0\.\d.*update --apps`/);
  const after = await look();
  t.match(after, { ...before, daemon: { version: '9.0.0' } });
  t.not(after.daemon.pid, before.daemon.pid);

  t.match(
    await ok(['ls']),
    { stdout: /online/, stderr: /daemon \(newer, 9\.0\.0\)/ },
    'the older command lists',
  );
  t.equal((await run(['reload', 'api'])).code, 6);
  await ok(['update']);
  const back = await look();
  t.match(back, { primary: before.primary, workers: before.workers });
  t.not(back.daemon.version, '9.0.0');
  await endLoads();

  await ok(['update'], { bin });
  t.match((await ok(['stop', 'api'])).stderr, /stopped/, 'the older command stops');
  await ok(['delete', 'api']);
  t.match((await ok(['kill'])).stdout, /daemon/);
});

t.test('update --apps replaces primaries beside the old ones', async (t) => {
  const { ok, list, look, endLoads, makeNewer } = await start(t);
  const eventsOf = async (options) =>
    (await ok(['events', '--no-follow', '--json'], options)).stdout.trim().split('\n');
  await ok(['reload', 'api']);
  const { lastReload } = (await list()).apps[0];
  const deploys = await eventsOf({});
  const before = await look();
  const newer = await makeNewer('newer');
  await ok(['update'], { bin: newer });
  t.match(
    (await ok(['describe', 'api'], { bin: newer })).stdout,
    /primary +pid \d+ \(older, .*update --apps`/,
  );
  await ok(['update', '--apps'], { bin: newer });
  const described = await ok(['describe', 'api'], { bin: newer });
  t.notMatch(described.stdout, /update/);
  const after = await look();
  t.equal(after.status, 'online');
  t.strictSame((await list()).apps[0].lastReload, lastReload, 'an update is no reload');
  const events = await eventsOf({ bin: newer });
  t.strictSame(events.slice(0, deploys.length), deploys, 'each once, in the order of before');
  const times = events.map((line) => JSON.parse(line).at);
  t.strictSame(
    times,
    times.slice().sort((a, b) => a - b),
  );
  t.not(after.primary, before.primary);
  t.notOk(after.workers.some((pid) => before.workers.includes(pid)));
  await ok(['update', '--apps']);
  t.not((await look()).primary, after.primary);
  t.match((await ok(['update', '--apps'])).stdout, /Every primary is up to date/);
  await endLoads();
  t.equal((await ok(['reload', 'api'])).code, 0, 'as any other app');
});

t.test('an app with a unix socket keeps its primary, and the others follow', async (t) => {
  const home = testHome(t);
  const start = (name, PORT) => home.ok(['start', program, '--name', name], { env: { PORT } });
  const program = join(home.root, 'listen.cjs');
  writeFileSync(program, 'require("node:http").createServer().listen(process.env.PORT);');
  await start('unix', join(home.root, 'unix.sock'));
  await start('web', String(await freePort()));
  const before = (await home.list()).apps;
  const bin = await makeOtherVersion(join(home.root, 'newer'), NEWER);
  const ended = await home.run(['update', '--apps'], { bin });
  t.match(ended, { code: 5, stderr: /unix\.sock cannot be handed over/ });
  const after = (await home.list()).apps;
  t.equal(after[0].primaryPid, before[0].primaryPid);
  t.not(after[1].primaryPid, before[1].primaryPid);
  const copies = readdirSync(join(home.home, 'versions'));
  t.equal(copies.length, 2, 'the copies that are used stay');
});

t.test('an app that did not run before says nothing about the new version', async (t) => {
  const { root, run, list } = testHome(t);
  const port = await freePort();
  const holder = createServer().listen(port);
  t.teardown(() => holder.close());
  const start = (name, at) =>
    run(['start', app('http-pid.cjs'), '--name', name, '--max-restarts', '0', '-i', '1'], {
      env: { PORT: String(at) },
    });
  t.equal((await start('broken', port)).code, 5);
  await start('last', await freePort());
  const before = (await list()).apps;
  const bin = await makeOtherVersion(join(root, 'newer'), NEWER);
  const ended = await run(['update', '--apps'], { bin });
  t.match(ended, { code: 5, stderr: new RegExp(`in use by pid ${process.pid} `) });
  t.not((await list()).apps[1].primaryPid, before[1].primaryPid, 'the others follow');
});

t.test('the daemon is killed in the middle of update --apps', async (t) => {
  // Long enough for a busy machine to see the new primary before it has taken over.
  const stayUp = ['--min-uptime', '5s'];
  const { begin, root, ok, look, endLoads, makeNewer } = await start(t, stayUp);
  const bin = await makeNewer('newer');
  await ok(['update'], { bin });
  const before = await look();
  const isPrimary = (pid) => /nodecluster: api|primary.main\.js/.test(commandOf(pid));
  const primaries = () => processesOf(root).filter(isPrimary);
  const killDaemon = async (options) => {
    const command = begin(['update', '--apps'], options);
    const isReplacing = until(() => primaries().length === 2, 'a new primary');
    const tooEarly = command.ended.then((outcome) => {
      throw new Error(`it ended before: ${JSON.stringify(outcome)}`);
    });
    await Promise.race([isReplacing, tooEarly]);
    tooEarly.catch(() => {});
    const { daemon } = await look();
    process.kill(daemon.pid, 'SIGKILL');
    await command.ended;
  };

  await killDaemon({ bin });
  await until(() => primaries().length === 1, 'one primary');
  const after = await until(async () => {
    const now = await look();
    return now.status === 'online' && now.workers.every(Boolean) && now;
  }, 'a whole tree');
  t.strictSame(primaries(), [after.primary]);
  await ok(['update', '--apps'], { bin });
  t.not((await look()).primary, before.primary);
  await endLoads();

  await ok(['update']);
  await killDaemon({});
  await ok(['kill']);
  t.strictSame(primaries(), [], 'none waits for its turn');
});

t.test('the new daemon is killed while it waits for a primary', async (t) => {
  const home = testHome(t);
  for (const name of ['silent', 'web']) {
    const env = { PORT: String(await freePort()) };
    // Each has a primary of its own.
    const options = ['-i', '2', '--scheduling', 'round-robin'];
    await home.ok(['start', app('http-pid.cjs'), '--name', name, ...options], { env });
  }
  const { daemon, apps } = await home.list();
  const [silent, web] = apps.map(({ primaryPid }) => primaryPid);
  process.kill(silent, 'SIGSTOP');
  const bin = await makeOtherVersion(join(home.root, 'newer'), NEWER);
  const command = home.begin(['update'], { bin });
  const { daemonLog } = homePaths(home.home);
  const adopted = new RegExp(`primary.adopted","daemon":(?!${daemon.pid},).*"primary":${web}}`);
  await until(
    () => adopted.test(readFileSync(daemonLog, 'utf8')),
    'the new daemon to wait for the other primary only',
  );
  const killed = daemonPid(home.home);
  t.not(killed, daemon.pid);
  process.kill(Number(killed), 'SIGKILL');
  await until(() => ![null, killed].includes(daemonPid(home.home)), 'the next daemon');
  // On a busy machine the next daemon has ended it meanwhile.
  if (isRunning(silent)) process.kill(silent, 'SIGCONT');
  t.match(await command.ended, { code: 0, stdout: /→ 9\.0\.0/ }, 'started by a primary');
});

t.test('a version whose daemon does not load changes nothing', async (t) => {
  const { run, look, endLoads, makeNewer } = await start(t);
  const before = await look();
  const bin = await makeNewer('at-load', { 'src/daemon/daemon.js': [[/^/, THROWS]] });
  t.match(await run(['update'], { bin }), { code: 8, stderr: /broken on purpose/ });
  t.strictSame(await look(), before);
  await endLoads();
});

t.test('a version whose daemon fails once it has taken over gives the apps back', async (t) => {
  const { run, look, endLoads, makeNewer } = await start(t);
  const before = await look();
  const later = [[/^ {2}const adopted = .*/m, THROWS]];
  const bin = await makeNewer('too-late', { 'src/daemon/daemon.js': later });
  t.match(await run(['update'], { bin }), { code: 8, stderr: /manages the apps/ });
  const { daemon, ...rest } = await look();
  t.match(daemon, { version: before.daemon.version }, 'the earlier version has come back');
  t.match(rest, { primary: before.primary, workers: before.workers });
  await endLoads();
});

t.test('a version whose primaries start no worker replaces none', async (t) => {
  const { run, look, endLoads, makeNewer } = await start(t);
  const before = await look();
  const cluster = [['  const { spec } = launch;', THROWS]];
  const bin = await makeNewer('no-workers', { 'src/primary/worker/process.js': cluster });
  t.equal((await run(['update', '--apps'], { bin })).code, 5);
  t.match(await look(), { primary: before.primary, workers: before.workers });
  await endLoads();
});
