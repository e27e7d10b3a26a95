import t from 'tap';
import { setImmediate as turn } from 'node:timers/promises';
import { limitPerCore } from '../../../src/daemon/apps/command-queue.js';
import { availableCores } from '../../../src/daemon/cgroup-limits.js';

t.test(
  'a few tasks for each core at a time, in their order, also after one has failed',
  async (t) => {
    const limited = limitPerCore();
    const running = new Set();
    const order = [];
    let most = 0;
    const task = async (number) => {
      running.add(number);
      order.push(number);
      most = Math.max(most, running.size);
      await turn();
      running.delete(number);
      if (number % 3 === 0) throw new Error('failed');
    };
    const numbers = Array.from({ length: 20 * availableCores() }, (_, index) => index);
    await Promise.allSettled(numbers.map((number) => limited(() => task(number))));
    t.equal(most, 4 * availableCores());
    t.same(order, numbers);
  },
);
