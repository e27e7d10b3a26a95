/** How many tasks a daemon has in progress at a time, such as apps that it starts or replaces. */
import { availableCores } from '../cgroup-limits.js';

/**
 * For each core. A step mostly waits for `min_uptime`, which costs no CPU: a reload of eight small
 * apps on two cores takes 6.7 s with 1, 4.5 s with 2 and 2.7 s with 4. More would let programs that
 * load slowly miss their `listen_timeout`.
 */
const APPS_PER_CORE = 4;

export function limitPerCore() {
  return limitTo(APPS_PER_CORE * availableCores());
}

/**
 * @param {number} count
 * @returns {typeof runAtOnce} which runs that many tasks at a time, in the order in which they came
 */
export function limitTo(count) {
  let free = count;
  /** @type {(() => void)[]} */
  const waiting = [];
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** @template T @param {() => Promise<T>} task */
export function runAtOnce(task) {
  return task();
}
