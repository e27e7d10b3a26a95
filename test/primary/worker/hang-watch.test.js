import t from 'tap';
import { HangWatch } from '../../../src/primary/worker/hang-watch.js';

/** In place of a worker; its event loop is blocked from the beginning. */
const blockedWorker = (hangTimeoutMs = null, drainingSinceMs = null) => ({
  isJudged: true,
  drainingSinceMs,
  pulse: { lastBeatMs: 0, blockedSinceMs: null },
  launch: { spec: { hangTimeoutMs, killTimeoutMs: 2000 } },
  said: [],
  setBlocked(sinceMs) {
    this.pulse.blockedSinceMs = sinceMs;
    this.said.push(sinceMs === null ? 'turns' : `blocked since ${sinceMs}`);
  },
  emit(_name, { type }) {
    this.said.push(type);
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
  const blocked = ['blocked since 0', 'worker.unresponsive'];
  t.same([shown.said, ended.said], [blocked, [...blocked, 'ended after 8000']]);
  shown.pulse.lastBeatMs = 9000;
  ended.isJudged = false;
  watch.look(10_000);
  t.same(shown.said, [...blocked, 'turns', 'worker.responsive']);
  t.equal(ended.said.length, 3);
});

t.test('one that drains has kill_timeout to come back', async (t) => {
  const [silent, backAgain] = [blockedWorker(null, 1000), blockedWorker(null, 1000)];
  const watch = watchOf(silent, backAgain);
  for (const nowMs of [2000, 4000, 6000]) watch.look(nowMs);
  backAgain.pulse.lastBeatMs = 7000;
  watch.look(8000);
  t.same(silent.said, ['blocked since 0', 'worker.unresponsive', 'ended after 8000']);
  t.same(backAgain.said.slice(2), ['turns', 'worker.responsive']);
});

t.test('who was stopped itself blames nobody', async (t) => {
  const worker = blockedWorker(5000);
  const watch = watchOf(worker);
  for (const nowMs of [2000, 62_000, 64_000, 66_000]) watch.look(nowMs);
  t.same(worker.said, [], 'silence counts anew from then');
  for (const nowMs of [68_000, 70_000]) watch.look(nowMs);
  t.same(worker.said, ['blocked since 62000', 'worker.unresponsive', 'ended after 8000']);
});
