/** A reload that is judged by its first worker under load, in a primary without a daemon. */
import t from 'tap';
import { startLoad } from '../../../../support/http-load.js';
import { startedPrimary } from '../../../primary-under-test.js';

/** On a busy machine any worker is slow for a moment, so only one test judges that. */
const RULE = { instances: 1, forMs: 60_000, max5xx: 0.01, maxP99: 1000 };
const PROGRAM = 'fails-sometimes.cjs';
const pidsOf = (state) => state.slots.map((slot) => slot.pid);

/** An app of three workers under load from short and from kept connections. */
async function loadedApp(t, change = {}) {
  const primary = await startedPrimary(t, PROGRAM, { instances: 3, ...change });
  const { spec } = primary;
  const { port } = primary;
  const manyAddresses = spec.scheduling === 'sticky';
  const loads = [true, false].map((keepAlive) =>
    startLoad(t, { port, keepAlive, clients: 8, timeoutMs: 10_000, manyAddresses }),
  );
  await Promise.all(loads.map((load) => load.answers(20)));
  const before = await primary.state();
  const stop = async () => {
    const ended = await Promise.all(loads.map((load) => load.stop()));
    return ended.reduce((all, { codes }) => ({ ...all, ...codes }), {});
  };
  const withEnv = (env) => ({ ...spec, env: { ...spec.env, ...env } });
  return { primary, spec, before, loads, stop, withEnv };
}

const FAILS = { FAILS: '0.2' };
const failed = /answered with 5xx: \d+ % of \d+ requests; .*, 1 % is allowed/;
const wasSlow = /was slow: p99 .*; by what the old workers did, /;
for (const [scheduling, name, env, rule, reason] of [
  ['round-robin', 'fails', FAILS, {}, failed],
  ['fair', 'is slow', { DELAY_MS: '300' }, { maxP99: 2 }, wasSlow],
  ['sticky', 'fails', FAILS, {}, failed],
]) {
  t.test(`a canary that ${name} is taken back: ${scheduling}`, async (t) => {
    const { primary, before, stop, withEnv } = await loadedApp(t, { scheduling });
    const steps = [];
    const canary = { ...RULE, ...rule, forMs: 16_000 };
    const params = { spec: withEnv(env), generation: 2, canary };
    const outcome = await primary.ask('reload', params, (step) => steps.push(step));
    t.match(outcome, { ok: false, done: [], kept: [0, 1, 2], minReady: 3 });
    t.match(outcome.failed, [{ slot: 0, reason }]);
    t.same(Object.keys(await stop()), name === 'fails' ? ['HTTP_500'] : [], 'nothing else is lost');
    const after = await primary.state();
    t.same(pidsOf(after), pidsOf(before), 'the old workers have never stopped');
    t.match(after, { generation: 1, canary: undefined, retiring: [] });
    t.match(after.lastReload, { ok: false, reason });
    const judged = steps.filter(({ kind }) => kind === 'judged');
    t.match(judged, [{ slot: 0, generation: 2, reason: /taken back: \d+ requests/ }]);
    if (name === 'fails') t.match(outcome.failed[0].lastLines.join('\n'), /request \d+ failed/);
  });
}

t.test('a good canary is followed by the others', async (t) => {
  const { primary, before, stop, withEnv } = await loadedApp(t, { instances: 4 });
  const canary = { ...RULE, instances: 2, forMs: 2000 };
  const reload = primary.ask('reload', { spec: withEnv({}), generation: 2, canary });
  const judged = await primary.when(
    (state) => state.canary?.slots.length === 2 && state.canary.canary.requests > 10 && state,
    'two canaries to be judged',
  );
  t.match(judged, {
    busy: 'reload',
    generation: 1,
    slots: [{ generation: 2 }, { generation: 2 }, { generation: 1 }, { generation: 1 }],
    retiring: pidsOf(before).slice(0, 2),
    canary: { forMs: 2000, canary: { errors: 0 }, old: { errors: 0 } },
  });
  t.match(await reload, { ok: true, done: [0, 1, 2, 3], minReady: 4 });
  t.same(await stop(), {}, 'no request was lost');
  const after = await primary.state();
  t.match(after, { generation: 2, canary: undefined, lastReload: { ok: true } });
  t.notOk(pidsOf(after).some((pid) => pidsOf(before).includes(pid)));
});

/** One whose canary serves, and is being judged. */
async function onTrial(t) {
  const app = await loadedApp(t);
  const params = { spec: app.withEnv({}), generation: 2, canary: RULE };
  const reload = app.primary.ask('reload', params);
  const isOnline = (state) => state.canary?.slots.length === 1 && state.slots[0].pid;
  return { ...app, reload, pid: await app.primary.when(isOnline, 'the canary to be online') };
}

for (const [signal, reason] of [
  ['SIGKILL', /killed by SIGKILL/],
  ['SIGSTOP', /taken back: its event loop blocked for/],
]) {
  t.test(`a canary on trial that gets ${signal} is taken back`, async (t) => {
    const { primary, before, stop, reload, pid } = await onTrial(t);
    process.kill(pid, signal);
    await primary.when((state) => state.canary === undefined, 'the judgement');
    if (signal === 'SIGSTOP') process.kill(pid, 'SIGCONT');
    t.match(await reload, { ok: false, kept: [0, 1, 2], failed: [{ slot: 0, reason }] });
    t.same(pidsOf(await primary.state()), pidsOf(before));
    t.match(
      await primary.ask('reload', { generation: 3 }),
      { ok: true },
      'the next one is as ever',
    );
    await stop();
  });
}

t.test('a canary that answers nothing is taken back', async (t) => {
  const { primary, stop, withEnv } = await loadedApp(t);
  const { port } = primary;
  const more = startLoad(t, { port, keepAlive: false, clients: 60, timeoutMs: 8000, thinkMs: 50 });
  const silent = { spec: withEnv({ DELAY_MS: '-1' }), generation: 2, canary: RULE };
  t.match(await primary.ask('reload', silent), {
    ok: false,
    failed: [{ reason: /gave no answer: \d+ % of \d+ requests/ }],
  });
  await more.stop();
  await stop();
});

t.test('nothing is left to be judged', async (t) => {
  const change = { instances: 2, autorestart: false };
  const primary = await startedPrimary(t, 'exits-0.cjs', change);
  await primary.when(
    ({ slots }) => slots.every(({ status }) => status === 'exited'),
    'its work to be done',
  );
  const order = (generation) => ({ generation, canary: RULE });
  t.match(
    await primary.ask('reload', order(2)),
    { ok: true, done: [0, 1] },
    'it has done its work',
  );
  await primary.ask('stop');
  t.match(await primary.ask('reload', order(3)), { ok: true, done: [] }, 'it is stopped');
});
