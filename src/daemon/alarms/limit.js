/**
 * @param {number} count
 * @returns {<T>(task: () => Promise<T>) => Promise<T>} runs that many tasks at a time, in the order in which
 *   they came
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
