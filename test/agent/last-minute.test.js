/** Latencies of the last minute. */
import t from 'tap';
import { LastMinute } from '../../src/agent/http-counts.cjs';

const MINUTE_MS = 60_000;

t.test('what is older does not count', async (t) => {
  const minute = new LastMinute();
  t.same(minute.of([], 0), { counts: [], maxMs: 0 }, 'nothing is counted yet');
  t.same(minute.of([0, 0], 0), { counts: [0, 0], maxMs: 0 });
  minute.note([0, 0], 1000);
  for (const ms of [20_003, 4]) minute.add(ms);
  t.same(minute.of([2, 0], 1000), { counts: [2, 0], maxMs: 20_003 });
  minute.note([2, 0], 31_000);
  minute.add(7);
  t.same(minute.of([2, 1], 31_000), { counts: [2, 1], maxMs: 20_003 });
  const older = minute.of([2, 1], 31_000 + MINUTE_MS);
  t.same(older, { counts: [0, 1], maxMs: 7 }, 'the first two are older');
  t.same(minute.of([2, 1], 32_000 + MINUTE_MS), { counts: [0, 0], maxMs: 0 });
});

t.test('as many requests as there may be', async (t) => {
  const minute = new LastMinute();
  for (let second = 0; second <= 600; second += 1) minute.note([second], second * 1000);
  t.same(minute.of([601], 600_000).counts, [61]);
  t.same(minute.of([601], 604_000).counts, [56], 'a minute begins at one of a few moments');
});
