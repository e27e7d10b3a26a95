import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { pidsThatAnswer, ask } from '../support/http-ask.js';
import { until } from '../support/until.js';
import { specOf, startPrimary } from './primary-under-test.js';

/** Blocks the worker that happens to answer; @returns its pid and how to wake it */
const blockOne = async (primary) => {
  const file = join(primary.paths.home, 'awake');
  const { pid } = await ask(primary.port, `/block?${file}`);
  return { pid, wake: () => writeFileSync(file, '') };
};
const slotOf = async (primary, pid) =>
  (await primary.state()).slots.find((slot) => slot.pid === pid);

t.test('a blocked worker is shown as unresponsive, and left alone', async (t) => {
  const primary = await startPrimary(t, await specOf('blocks-on-demand.cjs', { instances: 2 }));
  await primary.ask('start');
  const { pid, wake } = await blockOne(primary);
  const blocked = await until(async () => {
    const slot = await slotOf(primary, pid);
    return slot.status === 'unresponsive' && slot;
  }, 'the worker to count as unresponsive');
  t.match(blocked, { blockedSince: Number, reason: null, restarts: 0 });
  t.same(
    (await primary.state()).slots.map(({ status }) => status).sort(),
    ['online', 'unresponsive'],
    'nobody else is taken for blocked',
  );
  wake();
  await until(async () => (await slotOf(primary, pid)).status === 'online', 'it to respond again');
  t.match(await slotOf(primary, pid), { blockedSince: null, lastExit: null });
});

t.test('with hang_timeout it is replaced, and nobody while the primary stood still', async (t) => {
  const spec = await specOf('blocks-on-demand.cjs', { instances: 2, hangTimeoutMs: 5000 });
  const primary = await startPrimary(t, spec);
  await primary.ask('start');
  const before = await pidsThatAnswer(primary.port, 2);
  primary.child.kill('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 8000));
  primary.child.kill('SIGCONT');
  // The next to be ended is one that really hangs; the other has outlived the judgement.
  const { pid } = await blockOne(primary);
  t.ok(before.includes(pid));
  const slots = await until(async () => {
    const { slots } = await primary.state();
    const isReplaced = slots.every((slot) => slot.pid !== pid && slot.status === 'online');
    return isReplaced && slots.some(({ lastExit }) => lastExit) && slots;
  }, 'the hung worker to be replaced');
  const reason = /^event loop blocked for \d+ s$/;
  const [hung] = slots.filter(({ lastExit }) => lastExit);
  t.match(hung, { restarts: 1, lastExit: { code: null, signal: 'SIGABRT', reason } });
  const [other] = slots.filter(({ lastExit }) => !lastExit);
  t.ok(before.includes(other.pid));
  t.equal(other.restarts, 0);
});

t.test('one that hangs too often is given up, with the reason', async (t) => {
  const change = { hangTimeoutMs: 5000, maxRestarts: 0, restartWindowMs: 600_000 };
  const primary = await startPrimary(t, await specOf('blocks-on-demand.cjs', change));
  await primary.ask('start');
  await blockOne(primary);
  const slot = await until(async () => {
    const [slot] = (await primary.state()).slots;
    return slot.status === 'errored' && slot.lastExit && slot;
  }, 'the slot to be errored');
  t.match(
    slot.reason,
    /^died 1 times within 600 s; the last one was killed, its event loop blocked for \d+ s$/,
  );
});
