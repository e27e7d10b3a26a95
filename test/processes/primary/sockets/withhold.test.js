/** A replacement gets no connection before it is online, as long as other workers serve. */
import { existsSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { app } from '../../../support/home.js';
import { ask } from '../../../support/http-ask.js';
import { startLoad } from '../../../support/http-load.js';
import { until, within } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

/** @param folder where it is told that it is ready */
function toldReady(spec, folder) {
  const script = app('ready-when-file-exists.cjs');
  const env = { ...spec.env, FOLDER: folder };
  return { ...spec, script, env, waitReady: true, listenTimeoutMs: 120_000 };
}

/** @returns two workers that serve many clients */
async function underLoad(t, scheduling) {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2, scheduling });
  const { spec } = primary;
  const load = startLoad(t, {
    port: primary.port,
    keepAlive: false,
    clients: 8,
    manyAddresses: true,
  });
  await load.answers(20);
  return { spec, primary, load };
}

for (const scheduling of ['round-robin', 'fair', 'sticky']) {
  t.test(`a version that listens and dies gets no connection: ${scheduling}`, async (t) => {
    const { spec, primary, load } = await underLoad(t, scheduling);
    const env = { ...spec.env, LIVES_MS: '300' };
    const bad = { ...spec, env, script: app('dies-after-listen.cjs'), minUptimeMs: 60_000 };
    for (const generation of [2, 3]) {
      const order = { spec: bad, generation, parallel: generation - 1 };
      const outcome = await primary.ask('reload', order);
      t.match(outcome, { ok: false, done: [], kept: [0, 1], minReady: 2 });
    }
    await load.answers(20);
    t.match(await load.stop(), { failed: 0, failures: [] });
  });

  t.test(
    `nobody is served by one before it says 'ready', then all are: ${scheduling}`,
    { skip: scheduling === 'sticky' && process.platform !== 'linux' },
    async (t) => {
      const folder = t.testdir();
      const { spec, primary, load } = await underLoad(t, scheduling);
      const before = await primary.pids();
      const reloaded = primary.ask('reload', { spec: toldReady(spec, folder), generation: 2 });
      for (const slot of [0, 1]) {
        await until(() => existsSync(`${folder}/LISTENS_${slot}`), 'the replacement to listen');
        await load.answers(50);
        const served = newcomer(load, before);
        writeFileSync(`${folder}/READY_${slot}`, '');
        await within(served, 'the replacement to serve');
      }
      t.match(await reloaded, { ok: true, done: [0, 1], minReady: 2 });
      t.match(await load.stop(), { failed: 0, failures: [] });
    },
  );

  t.test(`the only worker that is left serves at once: ${scheduling}`, async (t) => {
    const folder = t.testdir();
    const primary = await startedPrimary(t, 'http-pid.cjs', { scheduling });
    const { spec } = primary;
    const { pid } = await primary.slot();
    const reloaded = primary.ask('reload', { spec: toldReady(spec, folder), generation: 2 });
    await until(() => existsSync(`${folder}/LISTENS_0`), 'the replacement to listen');
    t.equal((await ask(primary.port)).pid, pid, 'the old one serves');
    process.kill(pid, 'SIGSTOP');
    const asked = [1, 2, 3, 4].map(() => ask(primary.port));
    process.kill(pid, 'SIGKILL');
    for (const answer of await Promise.all(asked)) t.not(answer.pid, pid);
    writeFileSync(`${folder}/READY_0`, '');
    await reloaded;
    t.match(await primary.slot(), { status: 'online', generation: 2 });
  });
}

/**
 * @param before pids of the old workers
 * @returns the next one that answers for the first time and is none of them
 */
function newcomer(load, before) {
  return new Promise((resolve) => {
    load.state.onNewPid = (pid) => before.includes(pid) || resolve(pid);
  });
}
