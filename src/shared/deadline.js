/** Waiting with a deadline on the monotonic clock, and for what others wait for too. */
import { setTimeout as sleep } from 'node:timers/promises';

/** @returns {number} ms of this process; performance.now() costs a command that only looks a millisecond to load */
export function monotonicMs() {
  return process.uptime() * 1000;
}

/**
 * Null: it timed out.
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 */
export async function within(promise, ms) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<null>} */
  const timeout = new Promise((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Its first truthy result; null: it timed out.
 * @returns {Promise<T | null>}
 * @template T
 * @param {() => T | Promise<T>} condition
 * @param {{timeoutMs?: number, everyMs?: number}} [options]
 */
export async function poll(condition, { timeoutMs = Infinity, everyMs = 50 } = {}) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await condition();
    if (answer) return answer;
    if (performance.now() >= deadline) return null;
    await sleep(everyMs);
  }
}

/** Concurrent calls share one result. @template T @param {() => Promise<T>} fetch */
export function sharePending(fetch) {
  /** @type {Promise<T> | null} */
  let pending = null;
  return () => {
    pending ??= fetch().finally(() => (pending = null));
    return pending;
  };
}
