import t from 'tap';
import { judgeWear, withJitter } from '../../src/features/wear/primary.js';

const MB = 1024 ** 2;
const LARGE = { maxMemoryRestartBytes: 100 * MB };
const NONE = { maxRequests: null, maxAgeMs: null, maxMemoryRestartBytes: null };
const NEW = { requests: 0, ageMs: 0, memory: null };
const TOO_LARGE = 'used more memory than its max_memory_restart of 100M';

const rows = [
  ['nothing is limited', {}, { requests: 1e9, ageMs: 1e12, memory: 1e12 }, null],
  ['few requests', { maxRequests: 1000 }, { requests: 999 }, null],
  ['enough of them', { maxRequests: 1000 }, { requests: 1000 }, 'answered 1,000 requests'],
  ['young', { maxAgeMs: 60_000 }, { ageMs: 59_999 }, null],
  ['old', { maxAgeMs: 60_000 }, { ageMs: 60_000 }, 'reached the age of 1m'],
  ['small', LARGE, { memory: 99 * MB }, null],
  ['just as large', LARGE, { memory: 100 * MB }, null],
  ['too large', LARGE, { memory: 101 * MB }, TOO_LARGE],
  ['not known is not too large', LARGE, { memory: null }, null],
  ['old, and too large', { maxAgeMs: 1000, ...LARGE }, { ageMs: 10, memory: 200 * MB }, TOO_LARGE],
];
for (const [name, limits, wear, how] of rows)
  t.equal(judgeWear({ ...NEW, ...wear }, { ...NONE, ...limits }), how, name);

t.test('jitter', async (t) => {
  const limits = { maxRequests: 1000, maxAgeMs: 1, ...LARGE };
  const jittered = [0, 0.5, 0.999].map((random) => withJitter(limits, random).maxRequests);
  t.same(jittered, [900, 1000, 1100]);
  t.match(withJitter(limits, 0), { maxAgeMs: 1, ...LARGE });
  t.strictSame(withJitter(NONE, 0.3), NONE, 'what is not limited stays so');
});
