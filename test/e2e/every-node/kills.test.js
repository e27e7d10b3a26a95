/** `kill -9` of a worker, of the daemon, of a primary. */
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { ask, pidsThatAnswer } from '../../support/http-ask.js';
import { startLoad } from '../../support/http-load.js';
import { freePort } from '../../support/ports.js';
import { isRunning } from '../../support/processes.js';
import { until } from '../../support/until.js';

/** @param {any} t */
async function twoWorkers(t) {
  const home = testHome(t);
  const port = await freePort();
  const start = ['start', app('http-pid.cjs'), '-i', '2', '--name', 'api'];
  await home.ok(start, { env: { PORT: String(port) } });
  return { ...home, port };
}

t.test('a killed worker is replaced, its sibling stays', async (t) => {
  const { port, pidsOf, appNamed } = await twoWorkers(t);
  const [victim, sibling] = await pidsOf('api');
  process.kill(victim, 'SIGKILL');
  const after = await until(async () => {
    const shown = await appNamed('api');
    const pids = shown.workers.map(({ pid }) => pid);
    const online = shown.workers.every(({ status }) => status === 'online');
    return online && !pids.includes(victim) && shown;
  }, 'a replacement');
  const pids = after.workers.map(({ pid }) => pid).sort((a, b) => a - b);
  t.ok(pids.includes(sibling));
  t.equal(after.restarts, 1);
  t.same(await pidsThatAnswer(port, 2), pids);
});

t.test('without the daemon the app keeps serving, and the next daemon adopts it', async (t) => {
  const { port, pidsOf, list } = await twoWorkers(t);
  const { daemon, apps } = await list();
  const pids = await pidsOf('api');
  const load = startLoad({ port, clients: 5 });
  t.teardown(() => load.stop());
  await load.answers(50);
  process.kill(daemon.pid, 'SIGKILL');
  await until(() => !isRunning(daemon.pid), 'the daemon to exit');
  await load.answers(50);
  const after = await list();
  t.not(after.daemon.pid, daemon.pid);
  t.same(await pidsOf('api'), pids, 'the same workers');
  t.equal(after.apps[0].primaryPid, apps[0].primaryPid, 'and the same primary');
  await load.answers(50);
  const { made, failures } = await load.stop();
  t.same(failures, [], `of ${made} requests`);
});

t.test('the daemon restarts a killed primary on the same port', async (t) => {
  const { port, list } = await twoWorkers(t);
  const before = (await list()).apps[0];
  process.kill(before.primaryPid, 'SIGKILL');
  const after = await until(async () => {
    const [shown] = (await list()).apps;
    const online = shown.workers.every(({ status, pid }) => status === 'online' && pid);
    return online && shown.primaryPid !== before.primaryPid && shown;
  }, 'the app to be back');
  t.equal(after.workers.length, 2);
  const { pid } = await ask(port);
  t.ok(after.workers.some((worker) => worker.pid === pid));
});

t.test('after a kill of daemon and primary the next command restarts the app', async (t) => {
  const { port, list, ok } = await twoWorkers(t);
  const before = await list();
  const killed = [before.daemon.pid, before.apps[0].primaryPid];
  for (const pid of killed) process.kill(pid, 'SIGKILL');
  await until(() => !killed.some(isRunning), 'both to exit');
  await ok(['ls']);
  const after = await until(async () => {
    const shown = await list();
    return shown.apps[0].workers.every(({ status }) => status === 'online') && shown;
  }, 'the app to be back');
  t.not(after.daemon.pid, before.daemon.pid);
  t.not(after.apps[0].primaryPid, before.apps[0].primaryPid);
  t.same(
    await pidsThatAnswer(port, 2),
    after.apps[0].workers.map(({ pid }) => pid).sort((a, b) => a - b),
  );
});

t.test('when a primary is killed, the child processes of its workers exit too', async (t) => {
  const { ok, list } = testHome(t);
  const port = await freePort();
  await ok(['start', app('daemonises.cjs'), '--name', 'api'], { env: { PORT: String(port) } });
  const before = await ask(port);
  t.ok(isRunning(before.left.marked));
  process.kill((await list()).apps[0].primaryPid, 'SIGKILL');
  const after = await until(async () => {
    const answer = await ask(port);
    return answer.pid !== before.pid && answer;
  }, 'the app to be back');
  await until(() => !isRunning(before.left.marked), 'it to exit');
  t.ok(isRunning(after.left.marked));
});
