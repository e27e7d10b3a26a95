import t from 'tap';
import { figuresOf } from '../../src/show/rows.js';

const idle = { status: 'online', elu: 0.03, eventLoopDelayMs: { p50: 1, p99: 2.9 } };
const blocked = { status: 'unresponsive', blockedSince: 9000 };
const loopOf = (...workers) => {
  const { elu, eventLoopDelayMs } = figuresOf(workers, 21_000);
  return { elu, delay: eventLoopDelayMs?.p99 };
};

t.test('a blocked worker has a busy loop, and so has its app', async (t) => {
  t.same(loopOf(idle), { elu: 0.03, delay: 2.9 });
  t.same(loopOf(blocked), { elu: 1, delay: 12_000 });
  t.same(
    loopOf({ ...blocked, ...idle }),
    { elu: 1, delay: 12_000 },
    'what it last measured is old',
  );
  t.same(loopOf(idle, blocked), { elu: 1, delay: 12_000 });
});
