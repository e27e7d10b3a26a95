import t from 'tap';
import { HangWatch } from '../../src/primary/hang-watch.js';

/** In place of a worker; its event loop is blocked from the beginning. */
const blockedWorker = (hangTimeoutMs = null) => ({
  isJudged: true,
  pulse: { lastBeatMs: 0, blockedSince: null },
  launch: { spec: { hangTimeoutMs } },
  said: [],
  emit(name, event) {
    this.said.push(event?.type ?? name);
  },
  endHung(silentMs) {
    this.said.push(`ended after ${silentMs}`);
  },
});

const watchOf = (...workers) => new HangWatch(new Map(workers.entries()), 0);

t.test('a blocked worker is shown, and once only; ended where that is wanted', async (t) => {
  const [shown, ended] = [blockedWorker(), blockedWorker(5000)];
  const watch = watchOf(shown, ended);
  for (const nowMs of [2000, 4000]) watch.look(nowMs);
  t.same([shown.said, ended.said], [[], []]);
  for (const nowMs of [6000, 8000]) watch.look(nowMs);
  const unresponsive = ['change', 'worker.unresponsive'];
  t.same([shown.said, ended.said], [unresponsive, [...unresponsive, 'ended after 8000']]);
  t.type(shown.pulse.blockedSince, 'number');
  shown.pulse.lastBeatMs = 9000;
  ended.isJudged = false;
  watch.look(10_000);
  t.same(shown.said.slice(2), ['change', 'worker.responsive']);
  t.equal(ended.said.length, 3);
  t.equal(shown.pulse.blockedSince, null);
});

t.test('who was stopped itself blames nobody', async (t) => {
  const worker = blockedWorker(5000);
  const watch = watchOf(worker);
  for (const nowMs of [2000, 62_000, 64_000, 66_000]) watch.look(nowMs);
  t.same(worker.said, [], 'silence counts anew from then');
  for (const nowMs of [68_000, 70_000]) watch.look(nowMs);
  t.same(worker.said, ['change', 'worker.unresponsive', 'ended after 8000']);
});
