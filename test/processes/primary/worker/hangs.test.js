import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { ask, pidsThatAnswer } from '../../../support/http-ask.js';
import { startedPrimary } from '../../primary-under-test.js';

// Each waits most of the time until a silence has been long enough: they do so together.
t.jobs = 4;

const blockable = async (t, change) => {
  const primary = await startedPrimary(t, 'blocks-on-demand.cjs', change);
  return primary;
};
/**
 * Blocks the worker that happens to answer;
 * @returns its pid and how to wake it
 */
const blockOne = async (primary) => {
  const file = join(primary.paths.home, 'awake');
  const { pid } = await ask(primary.port, `/block?${file}`);
  return { pid, wake: () => writeFileSync(file, '') };
};
const BLOCKED = /^event loop blocked for \d+s( in .*)?$/;

t.test('a blocked worker is shown as unresponsive, and left alone', async (t) => {
  const primary = await blockable(t, { instances: 2 });
  const { pid, wake } = await blockOne(primary);
  const isOf = (slot) => slot.pid === pid;
  const { slots } = await primary.when(
    (state) => state.slots.find(isOf).status === 'unresponsive' && state,
    'the worker to count as unresponsive',
  );
  t.match(slots.find(isOf), { blockedSinceMs: Number, reason: null, restarts: 0 });
  t.match(
    slots.find((slot) => !isOf(slot)),
    { status: 'online' },
    'nobody else is taken for blocked',
  );
  const reload = await primary.ask('reload', {
    generation: 2,
    slots: [slots.findIndex((slot) => !isOf(slot))],
  });
  t.match(reload, { ok: true, minReady: 1 }, 'a blocked worker is not ready');
  wake();
  const awake = await primary.when(
    (state) => state.slots.find((slot) => isOf(slot) && slot.status === 'online'),
    'it to respond again',
  );
  t.match(awake, { blockedSinceMs: null, lastExit: null });
  const events = primary.events.filter(({ type }) => type.endsWith('responsive'));
  t.match(events, [
    { type: 'worker.unresponsive', pid, durationMs: Number },
    { type: 'worker.responsive', pid, durationMs: Number },
  ]);
});

t.test('with hang_timeout it is replaced', async (t) => {
  const primary = await blockable(t, { instances: 2, hangTimeoutMs: 5000 });
  const before = await pidsThatAnswer(primary.port, 2);
  const { pid } = await blockOne(primary);
  const slots = await primary.when(({ slots }) => {
    const isReplaced = slots.every((slot) => slot.pid !== pid && slot.status === 'online');
    return isReplaced && slots.some(({ lastExit }) => lastExit) && slots;
  }, 'the hung worker to be replaced');
  const [hung] = slots.filter(({ lastExit }) => lastExit);
  t.match(hung, { restarts: 1, lastExit: { code: null, signal: 'SIGABRT', reason: BLOCKED } });
  const [other] = slots.filter(({ lastExit }) => !lastExit);
  t.ok(before.includes(other.pid));
  t.equal(other.restarts, 0);
});

t.test('why says that hang_timeout is stopping it', async (t) => {
  const primary = await blockable(t, { hangTimeoutMs: 5000, killTimeoutMs: 60_000 });
  const [{ pid }] = (await primary.state()).slots;
  // It cannot even be ended by SIGABRT.
  process.kill(pid, 'SIGSTOP');
  await primary.when(
    ({ slots: [slot] }) => slot.pid === pid && slot.status === 'stopping',
    'it to be stopped',
  );
  const { workers } = await primary.ask('why', {});
  process.kill(pid, 'SIGKILL');
  t.match(workers, [
    { pid, state: 'unknown', note: /^is being stopped: event loop blocked for \d+s/ },
  ]);
});

t.test('a worker that hangs too often is given up, with the reason', async (t) => {
  const change = { hangTimeoutMs: 5000, maxRestarts: 0, restartWindowMs: 600_000 };
  const primary = await blockable(t, change);
  await blockOne(primary);
  const slot = await primary.when(
    ({ slots: [slot] }) => slot.status === 'errored' && slot.lastExit && slot,
    'the slot to be errored',
  );
  t.matchSnapshot(slot.reason.replace(/for \d+s.*$/, 'for Ns'), 'reason');
});

t.test(
  'a new worker that hangs once it is proven is restarted, and the reload goes on',
  async (t) => {
    const primary = await blockable(t, { instances: 1, hangTimeoutMs: 5000 });
    // The old worker waits for this request, so the reload is not over.
    const unfinished = connect(primary.port, '127.0.0.1');
    t.teardown(() => unfinished.destroy());
    await once(unfinished, 'connect');
    unfinished.write('GET / HTTP/1.1\r\n');
    await ask(primary.port, '/');
    const outcome = primary.ask('reload', { generation: 2 }, ({ kind, generation }) => {
      if (kind === 'draining') blockOne(primary);
      if (kind === 'failed' && generation === 2) unfinished.destroy();
    });
    t.match(await outcome, { ok: true, done: [0], failed: [] });
    const { slots, generation } = await primary.state();
    t.equal(generation, 2);
    t.match(slots, [
      { generation: 2, restarts: 1, lastExit: { signal: 'SIGABRT', reason: BLOCKED } },
    ]);
  },
);
