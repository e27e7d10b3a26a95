/** Whatever fails in the agent, a figure is missing, and the program runs on. */
import cluster from 'node:cluster';
import dgram from 'node:dgram';
import { existsSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { NODE, app } from '../../support/home.js';
import { answerOf, ask } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { eventOf, until, within } from '../../support/until.js';
import { startedPrimary } from '../primary-under-test.js';

for (const [name, script, said] of [
  ['a program with nothing left to do exits', 'exits-0.cjs', 'nothing to do\n'],
  ['one that disconnects exits after its event', 'disconnects-at-once.cjs', 'disconnected\n'],
  [
    'listens that throw, and many on one server, keep none alive',
    'catches-a-listen.cjs',
    'caught\n',
  ],
  [
    'binds that fail or throw, and many sockets, keep none alive',
    'catches-a-bind.cjs',
    'thrown\nEADDRNOTAVAIL\nclosed\n',
  ],
]) {
  t.test(`${name}, as under plain node`, async (t) => {
    const primary = await startedPrimary(t, script, { stopExitCodes: [0], minUptimeMs: 60_000 });
    const { lastExit } = await primary.whenSlot(({ status }) => status === 'exited', 'its end');
    t.match(lastExit, { code: 0 });
    await primary.wrote(said);
    t.equal(await primary.log('error').catch(() => ''), '', 'no warning of too many listeners');
  });
}

t.test('a listen that fails crashes the program, as under plain node', async (t) => {
  const first = await startedPrimary(t, 'http-pid.cjs');
  const change = { env: { PORT: String(first.port) }, maxRestarts: 0 };
  const second = await startedPrimary(t, 'http-pid.cjs', change);
  const { failed } = second.outcome;
  t.match(failed[0].lastLines.join('\n'), /EADDRINUSE/);
  await second.whenSlot(({ status }) => status === 'errored', 'the second one to give up');
});

t.test('a bind in progress keeps the process alive, as under plain node', async (t) => {
  const primary = await startedPrimary(t, 'binds-udp-late.cjs', { listenTimeoutMs: 5000 });
  t.match(primary.outcome, { ok: true, done: [0] });
  const client = dgram.createSocket('udp4');
  t.teardown(() => client.close());
  const answered = eventOf(client, 'message');
  await primary.wrote('bound\n');
  client.send('who?', primary.port, '127.0.0.1');
  const [answer] = await answered;
  t.equal(Number(answer), (await primary.slot()).pid);
});

t.test('each worker joins a multicast group, and leaves it only for itself', async (t) => {
  const GROUP = '239.255.7.3';
  // Its socket is its own, so nobody sees it listen.
  const change = { instances: 2, env: { GROUP }, listenTimeoutMs: 2000 };
  const primary = await startedPrimary(t, 'joins-a-group.cjs', change);
  t.match(primary.outcome, { ok: true, done: [0, 1] });
  const client = dgram.createSocket('udp4').bind(0, '127.0.0.1');
  t.teardown(() => client.close());
  await eventOf(client, 'listening');
  client.setMulticastInterface('127.0.0.1');
  const answered = (what, address) => {
    const answer = eventOf(client, 'message');
    client.send(what, primary.port, address);
    return answer;
  };
  await answered('who?', GROUP);
  await answered('leave', '127.0.0.1');
  t.ok(await answered('who?', GROUP), 'the other one is still a member');
  t.match(await primary.ask('reload'), { ok: true, done: [0, 1] });
  t.ok(await answered('who?', GROUP), 'so are those that replaced them');
});

t.test('a port that is asked for with exclusive: true is shared', async (t) => {
  const primary = await startedPrimary(t, 'listens-exclusively.cjs', { instances: 2 });
  t.match(primary.outcome, { ok: true, notes: undefined });
  const load = startLoad(t, { port: primary.port, clients: 8, keepAlive: false, anyAnswer: true });
  await load.answers(20);
  t.match(await primary.ask('reload'), { ok: true, notes: undefined });
  await load.answers(20);
  t.match(await load.stop(), { failed: 0, failures: [] });
  t.match(await ask(primary.port), { exclusive: true, own: ['NODECLUSTER_WORKER'] });
});

const PRELOADED = fileURLToPath(new URL('../../fixtures/fails-calls.cjs', import.meta.url));
const AGENT = fileURLToPath(new URL('../../../src/agent/main.cjs', import.meta.url));
const WORKERS = 8;
/** A worker fails as many calls as there are calls for each of them. */
const EACH = 2 * WORKERS;

t.setTimeout(300_000);

function linesOf(directory, name) {
  const file = `${directory}/${name}`;
  return existsSync(file) ? [...new Set(readFileSync(file, 'utf8').trim().split('\n'))] : [];
}

async function useAll(primary) {
  await primary.ask('telemetry', { leaseMs: 60_000 });
  for (let count = 0; count < WORKERS; count++) await ask(primary.port);
  await primary.ask('telemetry', { leaseMs: 60_000 });
}

const endings = async (primary) =>
  (await primary.state()).slots.flatMap(({ lastExit, earlierExits, status, reason }) => [
    ...(status === 'online' ? [] : [{ status, reason }]),
    ...[lastExit, ...earlierExits].filter((exit) => exit !== null),
  ]);

t.test('each call of the agent while the program runs', async (t) => {
  const directory = t.testdir({});
  const variables = { FAILS_CALLS: directory, FAILS_EACH: String(EACH), FAILS_PHASE: 'run' };
  const env = { NODE_OPTIONS: `--require ${PRELOADED}`, ...variables };
  const change = { env, drainTimeoutMs: 1000, killTimeoutMs: 1000, listenTimeoutMs: 4000 };
  const first = await startedPrimary(t, 'http-pid.cjs', change);
  await useAll(first);
  await first.ask('stop');
  const calls = linesOf(directory, 'calls');
  t.ok(calls.length > 50, `${calls.length} calls`);

  const primary = await startedPrimary(t, 'http-pid.cjs', { ...change, instances: WORKERS });
  // In half of them the calls fail each time, then once.
  for (let workers = WORKERS; workers <= 2 * EACH; workers += WORKERS) {
    await useAll(primary);
    t.strictSame(await endings(primary), [], 'none has ended');
    await primary.ask('restart');
  }
  t.strictSame(linesOf(directory, 'uncaught'), []);
  const failed = linesOf(directory, 'failed');
  // Each fails in one worker, which may not have made it.
  t.ok(failed.length > calls.length / 2, `${failed.length} of ${calls.length} failed`);
});

t.test('each call of the agent before the program runs', async (t) => {
  const directory = t.testdir({});
  const PORT = String(await freePort());
  const variables = { FAILS_CALLS: directory, FAILS_EACH: String(WORKERS), FAILS_PHASE: 'load' };
  const env = { PORT, NODE_OPTIONS: `--require ${PRELOADED}`, ...variables };
  const exec = app('http-pid.cjs');
  // Without nodecluster's primary, which waits for what such an agent cannot report.
  cluster.setupPrimary({ exec, execPath: NODE, execArgv: ['--require', AGENT] });
  const fork = async () => {
    const worker = cluster.fork(env);
    t.teardown(() => worker.process.kill('SIGKILL'));
    await eventOf(worker, 'listening');
    return worker;
  };
  const workers = [await fork()];
  workers.push(...(await Promise.all(Array.from({ length: WORKERS }, fork))));
  for (let count = 0; count < 2 * WORKERS; count++) await ask(Number(PORT));
  t.ok(workers.every((worker) => !worker.isDead()));
  t.strictSame(linesOf(directory, 'uncaught'), []);
  t.ok(linesOf(directory, 'failed').length > WORKERS);
});

/** Of alters-its-world.cjs: each worker alters something else. */
const ALTERATIONS = 5;

t.test('programs that alter their world', async (t) => {
  const change = { drainTimeoutMs: 60_000, killTimeoutMs: 1000, hangTimeoutMs: 2000 };
  const all = { ...change, instances: ALTERATIONS, scheduling: 'round-robin' };
  const primary = await startedPrimary(t, 'alters-its-world.cjs', all);
  t.match(primary.outcome, { ok: true });
  await useAll(primary);
  t.strictSame(await endings(primary), [], 'they run on');
  const done = [...Array(ALTERATIONS).keys()];
  t.match(await within(primary.ask('reload'), 'the reload'), { ok: true, done });
  await useAll(primary);
  const altered = new Set();
  await until(async () => {
    // An idle connection.
    const agent = new Agent({ keepAlive: true });
    t.teardown(() => agent.destroy());
    altered.add((await answerOf({ port: primary.port, agent })).body.match(/"alters":"(.*?)"/)[1]);
    return altered.size === ALTERATIONS;
  }, 'an answer of each');
  t.match(await within(primary.ask('stop'), 'the stop'), { ok: true, longLivedCut: 0 });
  t.equal(await primary.log('error').catch(() => ''), '');
});

t.test('what a listener of the program throws is shown as its own', async (t) => {
  const primary = await startedPrimary(t, 'throws-on-connection.cjs');
  await ask(primary.port);
  await ask(primary.port).catch(() => {});
  const exit = await until(async () => {
    const { lastExit } = await primary.slot();
    return lastExit?.lastLines.length && lastExit;
  }, 'its end and what it said');
  t.match(exit, { code: 1 });
  t.match(exit.lastLines[0], /throws-on-connection\.cjs:5$/);
  t.ok(exit.lastLines.includes('Error: of the program'));
});
