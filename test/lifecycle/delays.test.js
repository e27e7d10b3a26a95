import t from 'tap';
import { doublingDelay } from '../../src/lifecycle/delays.js';

/** @type {[earlier: number, firstMs: number, maxMs: number, ms: number][]} */
const rows = [
  [0, 100, 10_000, 100],
  [1, 100, 10_000, 200],
  [6, 100, 10_000, 6400],
  [7, 100, 10_000, 10_000],
  [5000, 100, 10_000, 10_000],
  [0, 100, 50, 50],
  [5000, 0, 10_000, 0],
];
for (const [earlier, firstMs, maxMs, ms] of rows) {
  t.test(`${firstMs} ms after ${earlier} others, at most ${maxMs}`, async (t) => {
    t.equal(doublingDelay(earlier, firstMs, maxMs), ms);
  });
}
