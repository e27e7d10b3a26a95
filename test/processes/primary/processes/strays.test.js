/** No process that a worker started outlives it, not even one that is no longer below it. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { StrayProcesses } from '../../../../src/primary/processes/strays.js';
import { ask } from '../../../support/http-ask.js';
import { isRunning } from '../../../support/processes.js';
import { eventOf, until } from '../../../support/until.js';
import { MODES, startedPrimary } from '../../primary-under-test.js';

async function daemonising(t, change) {
  const primary = await startedPrimary(t, 'daemonises.cjs', { ...change });
  const asked = () => until(() => ask(primary.port), 'an answer');
  return { ...primary, asked, first: await asked() };
}

/** @param pid of a process that is meant to have been left */
async function endLeft(t, pid) {
  t.ok(isRunning(pid));
  process.kill(pid, 'SIGKILL');
  await until(() => !isRunning(pid), 'it to end');
}

for (const [mode, change] of Object.entries(MODES)) {
  t.test(
    `${mode}: when a worker dies, its stray processes are killed, and no others`,
    async (t) => {
      const { ask, asked, first } = await daemonising(t, change);
      t.ok(isRunning(first.left.marked));
      process.kill(first.pid, 'SIGKILL');
      await until(() => !isRunning(first.left.marked), 'what was left to end');
      const second = await until(async () => {
        const answer = await asked();
        return answer.pid !== first.pid && answer;
      }, 'the replacement');
      t.ok(isRunning(second.left.marked));
      const reports = [];
      await ask('stop', {}, (progress) => reports.push(progress));
      t.notOk(isRunning(second.left.marked), 'after a stop nothing is left');
      const { reason } = reports.find(({ kind }) => kind === 'stopped');
      t.match(reason, new RegExp(`^ended with it: .*sleep 300 \\(pid ${second.left.marked}\\)`));
    },
  );

  t.test(`${mode}: without a mark only descendants of the worker are found`, async (t) => {
    const { ask, first } = await daemonising(t, { ...change, env: { CLEAR_ENV: 'yes' } });
    const reports = [];
    await ask('stop', {}, (progress) => reports.push(progress));
    t.notOk(isRunning(first.left.marked));
    const { reason } = reports.find(({ kind }) => kind === 'stopped');
    t.notMatch(reason, `pid ${first.left.unmarked}`);
    await until(() => !isRunning(first.left.child), 'the child to end');
    await endLeft(t, first.left.unmarked);
  });

  t.test(`${mode}: treekill: false kills only the worker`, async (t) => {
    const { ask, first } = await daemonising(t, { ...change, treekill: false });
    await ask('stop');
    t.notOk(isRunning(first.pid));
    await endLeft(t, first.left.marked);
  });
}

async function launched(t, { env = {}, ...change }) {
  const folder = t.testdir({});
  const ENDED = join(folder, 'ended');
  const primary = await startedPrimary(t, 'launches-a-server.cjs', {
    ...change,
    env: { ENDED, ...env },
  });
  const { pid } = await until(() => ask(primary.port), 'an answer');
  const release = join(folder, 'release');
  const ended = () => (existsSync(ENDED) ? readFileSync(ENDED, 'utf8') : '');
  return { ...primary, pid, release, ended };
}

for (const [mode, change] of Object.entries(MODES)) {
  for (const command of ['stop', 'reload']) {
    t.test(`${mode}: a ${command} gives what a launcher started the time to finish`, async (t) => {
      const { ask: order, port, pid, release, ended } = await launched(t, change);
      const answer = ask(port, `/wait?${release}`);
      await until(() => existsSync(`${release}.begun`), 'the request to be in flight');
      const outcome = order(command);
      await until(() => ended(), 'it to be asked to end');
      t.ok(isRunning(pid));
      writeFileSync(release, '');
      t.same(await answer, { pid });
      t.match(await outcome, { ok: true, killed: undefined });
      t.notOk(isRunning(pid));
      t.equal(ended(), `${pid} asked to end\n${pid} has ended\n`, 'asked once');
    });
  }

  t.test(`${mode}: what ignores the stop signal is killed after kill_timeout`, async (t) => {
    const deaf = { ...change, killTimeoutMs: 400, env: { DEAF: 'yes' } };
    const { ask: order, pid, ended } = await launched(t, deaf);
    const killed = { workers: 1, afterMs: 400, signal: 'SIGTERM' };
    t.match(await order('stop'), { ok: true, killed });
    t.notOk(isRunning(pid));
    t.equal(ended(), `${pid} asked to end\n`);
  });

  for (const DEAF of ['', 'yes']) {
    const how = DEAF ? 'ignores' : 'handles';
    t.test(
      `${mode}: a dead launcher's server ${how} the signal, and then frees its port`,
      async (t) => {
        const primary = await launched(t, { ...change, env: { DEAF } });
        const { port, pid, ended } = primary;
        const { pid: launcher } = await primary.slot();
        process.kill(launcher, 'SIGKILL');
        const next = await until(async () => {
          const answer = await ask(port);
          return answer.pid !== pid && answer.pid;
        }, 'the replacement');
        t.notOk(isRunning(pid));
        t.equal(ended(), `${pid} asked to end\n${DEAF ? '' : `${pid} has ended\n`}`);
        const { restarts } = await primary.slot();
        t.equal(restarts, 1, 'the next one found the port free');
        t.ok(isRunning(next));
        await primary.ask('stop');
      },
    );
  }
}

t.test('processes with other marks are left alone', async (t) => {
  // Another run of the tests on this machine looks for its own at the same time.
  const [home, other] = ['a', 'b'].map((name) => `/home/${name}-${process.pid}`);
  const strays = new StrayProcesses(home, 'app');
  const [mine, sibling] = [strays.newMark(), strays.newMark()];
  const marks = [mine, sibling, `${mine}0`, new StrayProcesses(other, 'app').newMark()];
  const started = marks.map((mark) =>
    spawn('sleep', ['300'], { stdio: 'ignore', env: { FIRST: '1', NODECLUSTER_WORKER: mark } }),
  );
  t.teardown(() => started.forEach((child) => child.kill('SIGKILL')));
  await Promise.all(started.map((child) => eventOf(child, 'spawn')));
  const ended = eventOf(started[0], 'exit');
  await strays.kill(mine);
  t.same(await ended, [null, 'SIGKILL']);
  t.ok(started.slice(1).every(({ pid }) => isRunning(pid)));

  const others = [eventOf(started[1], 'exit'), eventOf(started[2], 'exit')];
  const end = (of, ...spared) =>
    of.endOfEarlierPrimaries({
      ...{ treekill: true, ending: { signal: 'SIGKILL' }, spared: new Set(spared) },
    });
  await end(new StrayProcesses(home, 'app'), `${mine}0`);
  await others[0];
  t.ok(isRunning(started[2].pid), 'of one that is spared');
  await end(strays);
  t.ok(isRunning(started[2].pid), 'its own');
  await end(new StrayProcesses(home, 'app'));
  await Promise.all(others);
  t.ok(isRunning(started[3].pid), 'of another home');
});
