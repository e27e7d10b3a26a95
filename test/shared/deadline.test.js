import t from 'tap';
import { poll, within } from '../../src/shared/deadline.js';

t.test('a promise that is in time, one that is late, and one that rejects', async (t) => {
  t.equal(await within(Promise.resolve('here'), 10_000), 'here');
  t.equal(await within(new Promise(() => {}), 1), null);
  await t.rejects(within(Promise.reject(new Error('no')), 10_000), /no/);
});

t.test('a condition is checked until it is true', async (t) => {
  let checks = 0;
  t.equal(await poll(() => ++checks === 3 && 'third', { timeoutMs: 10_000, everyMs: 1 }), 'third');
  t.equal(checks, 3);
});

t.test('a condition is checked once more when the time is up', async (t) => {
  let checks = 0;
  t.equal(await poll(async () => void ++checks, { timeoutMs: 0, everyMs: 1 }), null);
  t.equal(checks, 1);
});
