/** Reloads in waves of one: while the first new worker proves itself the second one boots, and nobody sees it before. */
import t from 'tap';
import { app } from '../../../support/home.js';
import { startLoad } from '../../../support/http-load.js';
import { startedPrimary } from '../../primary-under-test.js';

/** With each step as `online 0`, of the new workers only. @param onStep is given each of them */
async function reloaded(primary, change, onStep = () => {}) {
  const spec = { ...primary.spec, ...change };
  const steps = [];
  const order = { spec, generation: 2, parallel: 1 };
  const outcome = await primary.ask('reload', order, ({ kind, slot, generation }) => {
    if (generation !== 2) return;
    steps.push(`${kind} ${slot}`);
    onStep(steps.at(-1));
  });
  return { outcome, steps };
}

const dying = (env) => ({ script: app('dies-after-listen.cjs'), env });
const failing = (env) => ({ script: app('fails-in-slot.cjs'), env });
for (const [name, change, failed, started] of [
  ['throws at load', { script: app('throws-at-load.cjs') }, 0, [0]],
  ['never listens', { script: app('never-listens.cjs') }, 0, [0]],
  ['throws after it has listened', dying({ LIVES_MS: '300' }), 0, [0, 1]],
  ['the second one throws at load', failing({ FAIL_SLOT: '1' }), 1, [0, 1]],
  ['the second one throws after it has listened', dying({ FAIL_SLOT: '1' }), 1, [0, 1]],
]) {
  t.test(`a release that fails has replaced nobody: ${name}`, async (t) => {
    const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 3, minUptimeMs: 10_000 });
    const before = await primary.pids();
    const load = startLoad(t, { port: primary.port, clients: 4 });
    await load.answers(1);
    const env = { ...primary.spec.env, ...change.env };
    const { outcome, steps } = await reloaded(primary, { ...change, env, listenTimeoutMs: 3000 });
    const expected = { ok: false, done: [], kept: [0, 1, 2], rolledBack: [], minReady: 3 };
    t.match(outcome, { ...expected, failed: [{ slot: failed }] });
    t.equal(outcome.failed.length, 1);
    t.same(
      steps.filter((step) => /^(starting|online|failed)/.test(step)),
      [...started.map((slot) => `starting ${slot}`), `failed ${failed}`],
      'one is seen to fail, and none is online',
    );
    const { retiring } = await primary.state();
    t.same([await primary.pids(), retiring], [before, []]);
    t.equal(primary.events.filter(({ type }) => type === 'worker.exited').length, 1);
    t.match(await load.stop(), { failed: 0, failures: [] });
  });
}

t.test('none is online before the first one, and an old one that dies is replaced', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 3, minUptimeMs: 1500 });
  const [, old] = await primary.pids();
  const { outcome, steps } = await reloaded(primary, {}, (step) => {
    if (step === 'starting 1') process.kill(old, 'SIGKILL');
  });
  t.match(outcome, { ok: true, done: [0, 1, 2] });
  const began = steps.filter((step) => /^(starting|online)/.test(step));
  t.same(began.slice(0, 2), ['starting 0', 'starting 1']);
  t.match(
    began.find((step) => step.startsWith('online')),
    'online 0',
  );
  t.equal(began.length, 6, 'none is started twice');
});
