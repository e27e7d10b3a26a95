/** `update` between two versions of different protocol, in both directions, under load. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { connect } from '../../../src/api/nodecluster.js';
import { homePaths } from '../../../src/shared/home.js';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { app, testHome } from '../../support/home.js';
import { startBothLoads } from '../../support/http-load.js';
import { listening } from '../../support/listening.js';
import { makeOtherVersion } from '../../support/package/other-version.js';
import { freePort, freePorts } from '../../support/ports.js';
import { commandOf, isRunning, processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';

t.jobs = 3;

const THROWS = 'throw new Error("broken on purpose");\n';

async function start(t, options = []) {
  const home = testHome(t);
  const port = await home.startApi(['-i', '2', ...options]);
  const look = async () => {
    const { daemon, apps } = await home.list();
    const workers = apps[0].workers.map(({ pid }) => pid);
    return { daemon, primary: apps[0].primaryPid, workers, status: apps[0].status };
  };
  const load = startBothLoads(t, { port, clients: 2 });
  const endLoads = async () => t.same((await load.stop()).failures, [], 'none is lost');
  const makeNewer = (name, changes) => makeOtherVersion(join(home.root, name), changes);
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
  t.match((await ok(['update'], { bin })).stdout, /0\.\d+\.\d+ → 9\.0\.0/);
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

t.test('a program updates the daemon that it is connected to', async (t) => {
  const { home, ok, look, endLoads, makeNewer } = await start(t);
  await ok(['update', '--apps'], { bin: await makeNewer('newer') });
  const { daemon, primary } = await look();
  const client = await connect({ home });
  t.teardown(() => client.close());
  const own = client.version.client;
  t.equal(client.version.daemon, '9.0.0');
  const { before, after, apps } = await client.update({ apps: true });
  t.match([before, after], [{ pid: daemon.pid, version: '9.0.0' }, { version: own }]);
  t.match(apps, [{ name: 'api', ok: true }]);
  const now = await look();
  t.match(now.daemon, after);
  t.not(now.primary, primary);
  t.equal(client.version.daemon, own, 'it is connected to the next one');
  t.match(await client.reload('api'), [{ name: 'api', ok: true, done: [0, 1] }]);
  await endLoads();
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
  t.ok((await list()).apps[0].lastReload.at > lastReload.at, 'as a reload');
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

t.test('an app on a unix socket, and one that did not run before, keep no other', async (t) => {
  const home = testHome(t);
  const taken = await listening(t, createServer(), { port: 0 });
  const program = join(home.root, 'listen.cjs');
  writeFileSync(program, 'require("node:http").createServer().listen(process.env.PORT);');
  const start = (name, PORT) =>
    home.run(['start', program, '--name', name, '--max-restarts', '0'], { env: { PORT } });
  await start('unix', join(home.root, 'unix.sock'));
  t.equal((await start('broken', String(taken))).code, 5);
  await start('web', String(await freePort()));
  const before = (await home.list()).apps;
  const bin = await makeOtherVersion(join(home.root, 'newer'));
  const { code, stderr } = await home.run(['update', '--apps'], { bin });
  t.equal(code, 5);
  t.match(stderr, /unix\.sock cannot be handed over/);
  t.match(stderr, `in use by pid ${process.pid} `, 'it says nothing about the new version');
  const after = (await home.list()).apps;
  t.equal(after[0].primaryPid, before[0].primaryPid);
  t.not(after[2].primaryPid, before[2].primaryPid);
  const copies = readdirSync(join(home.home, 'versions'));
  t.equal(copies.length, 2, 'the copies that are used stay');
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
  const bin = await makeOtherVersion(join(home.root, 'newer'));
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

t.test('versions whose daemon or primaries fail leave everything as it was', async (t) => {
  const { run, look, endLoads, makeNewer } = await start(t);
  const before = await look();
  const update = async (name, changes, ...flags) =>
    run(['update', ...flags], { bin: await makeNewer(name, changes) });
  const atLoad = { kept: { 'src/daemon/main.js': [[/^/, THROWS]] } };
  t.match(await update('at-load', atLoad), { code: 8, stderr: /broken on purpose/ });
  t.strictSame(await look(), before);

  const later = [[/^ {2}const adopted = .*/m, THROWS]];
  const tooLate = await update('too-late', { edits: { 'src/daemon/daemon.js': later } });
  t.match(tooLate, { code: 8, stderr: /manages the apps/ }, 'once it has taken over');
  const { daemon, ...rest } = await look();
  t.match(daemon, { version: before.daemon.version }, 'the earlier version has come back');
  const same = { primary: before.primary, workers: before.workers };
  t.match(rest, same);

  const cluster = [['  const { spec } = launch;', THROWS]];
  const noWorkers = { edits: { 'src/primary/worker/process.js': cluster } };
  t.equal((await update('no-workers', noWorkers, '--apps')).code, 5);
  t.match(await look(), same);
  await endLoads();
});

const OLDER = { version: '0.0.9', protocol: 2, oldest: 1 };
const HANGS = 'await new Promise(() => {})';
const THROWS_LATER = 'setImmediate(() => { throw new Error("a bug in " + app.name); });';
const BUGS = {
  'src/primary/methods.js': [
    [
      'reset: (params) => reset(app, params)',
      `reset: (params) => { ${THROWS_LATER} return reset(app, params); }`,
    ],
    [
      'shutdown: async (params, ctx) => {',
      `shutdown: async (params, ctx) => { if (app.name === "b") ${HANGS};`,
    ],
  ],
};

t.test('a bug in the path of one app, and update --apps of all', async (t) => {
  const { ok, list, root, home } = testHome(t);
  const bin = await makeOtherVersion(join(root, 'older'), { ...OLDER, edits: BUGS });
  const ports = await freePorts(4);
  const apps = ['a', 'b', 'c', 'd'].map((name, index) => ({
    ...{ name, script: app('http-pid.cjs'), exec_mode: 'fork', env: { PORT: `${ports[index]}` } },
    ...{ min_uptime: 100, kill_timeout: 200, drain_timeout: 100 },
  }));
  const file = join(root, 'ecosystem.json');
  writeFileSync(file, JSON.stringify({ apps }));
  await ok(['start', file], { bin });
  const before = await appsOf(list);
  t.equal(new Set(before.map(primaryOf)).size, 1);

  await ok(['reset', 'a'], { bin });
  const log = join(home, 'primary.log');
  await until(() => existsSync(log) && /a bug in a/.test(readFileSync(log, 'utf8')), 'a line');
  t.strictSame(await appsOf(list), before, 'the process and every worker go on');

  await ok(['delete', 'b'], { bin });
  const [, b] = before;
  await until(() => !b.workers.some(isRunning), 'the workers of b to end');
  const others = before.filter(({ name }) => name !== 'b');
  t.strictSame(await appsOf(list), others, 'that one app hangs concerns no other');

  await ok(['update', '--apps']);
  const after = await appsOf(list);
  t.strictSame(
    after.map(({ name, status }) => `${name} ${status}`),
    ['a online', 'c online', 'd online'],
  );
  t.equal(new Set(after.map(primaryOf)).size, 1, 'all in one new process');
  t.not(primaryOf(after[0]), primaryOf(b));
  await until(() => !isRunning(primaryOf(b)), 'the old process to exit');
});

t.test('update --apps leaves a job that runs alone', async (t) => {
  const { ok, run, begin, root, appNamed } = testHome(t);
  const bin = await makeOtherVersion(join(root, 'older'), { ...OLDER, edits: BUGS });
  const end = join(root, 'end');
  const task = join(root, 'task.cjs');
  writeFileSync(
    task,
    `const timer = setInterval(() => {
      if (require('node:fs').existsSync(${JSON.stringify(end)})) clearInterval(timer);
    }, 20);`,
  );
  await ok(['start', task, '--name', 'task', '--schedule', '0 0 1 1 *'], { bin });
  const running = begin(['run-now', 'task'], { bin });
  await running.said(/online/);
  const { primaryPid, workers } = await appNamed('task');
  const refused = await run(['update', '--apps']);
  t.match(refused, { code: 5, stderr: /Job task was not touched: its last run has not ended/ });
  t.ok(isRunning(workers[0].pid));
  t.equal((await appNamed('task')).primaryPid, primaryPid);
  writeFileSync(end, '');
  await until(async () => (await appNamed('task')).status === 'waiting', 'the run to end');
  t.match((await appNamed('task')).job, { lastRun: { ok: true } }, 'the next daemon has seen it');
  await ok(['update', '--apps']);
  t.not((await appNamed('task')).primaryPid, primaryPid);
  await running.ended;
});

async function appsOf(list) {
  const { apps } = await list();
  return apps.map(({ name, status, primaryPid, workers }) => ({
    ...{ name, status, primaryPid },
    workers: workers.map(({ pid }) => pid),
  }));
}

function primaryOf({ primaryPid }) {
  return primaryPid;
}
