/**
 * Waiting, always with a deadline: for something to become true, for a promise, for an event.
 * The deadline says only how long to hope; no test learns from it how fast something was.
 */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** @import { EventEmitter } from 'node:events' */

const DEADLINE_MS = 30_000;
const POLL_MS = 25;

/**
 * Asks `condition` again and again until its answer is truthy.
 * @template T
 * @param {() => T | Promise<T>} condition an error that it throws counts as "not yet"
 * @param {string} what named in the error when the deadline passes
 * @param {number} [deadlineMs]
 * @returns {Promise<T>} the truthy answer
 */
export async function until(condition, what, deadlineMs = DEADLINE_MS) {
  const end = performance.now() + deadlineMs;
  let last = '';
  do {
    const begin = performance.now();
    try {
      const answer = await condition();
      if (answer) return answer;
      last = 'not true yet';
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    // A condition that runs a command must not take the processor from what it waits for.
    await pause(Math.max(POLL_MS, performance.now() - begin));
  } while (performance.now() < end);
  throw new Error(`waited ${deadlineMs} ms for ${what}: ${last}`);
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {string} what named in the error when the deadline passes
 * @param {number} [deadlineMs]
 * @returns {Promise<T>}
 */
export function within(promise, what, deadlineMs = DEADLINE_MS) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`waited ${deadlineMs} ms for ${what}`)),
      deadlineMs,
    );
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * @param {EventEmitter} emitter
 * @param {string} name
 * @param {number} [deadlineMs]
 * @returns {Promise<any[]>} what the event carried
 */
export function eventOf(emitter, name, deadlineMs = DEADLINE_MS) {
  return within(once(emitter, name), `the event '${name}'`, deadlineMs);
}
