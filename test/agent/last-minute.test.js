/** Latencies of the last minute. */
import t from 'tap';
import { LastMinute } from '../../src/agent/http-counts.cjs';

const MINUTE_MS = 60_000;

t.test('what is older does not count', async (t) => {
  const minute = new LastMinute();
  t.same(minute.of([], 0), [], 'nothing is counted yet');
  t.same(minute.of([0, 0], 0), [0, 0]);
  minute.note([0, 0], 1000);
  t.same(minute.of([2, 0], 1000), [2, 0]);
  minute.note([2, 0], 31_000);
  t.same(minute.of([2, 1], 31_000), [2, 1]);
  t.same(minute.of([2, 1], 31_000 + MINUTE_MS), [0, 1], 'the first two are older');
  t.same(minute.of([2, 1], 32_000 + MINUTE_MS), [0, 0]);
});

t.test('as many requests as there may be', async (t) => {
  const minute = new LastMinute();
  for (let second = 0; second <= 600; second += 1) minute.note([second], second * 1000);
  t.same(minute.of([601], 600_000), [61]);
  t.same(minute.of([601], 604_000), [56], 'a minute begins at one of a few moments');
});
