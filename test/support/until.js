/**
 * Waits for a condition, a promise or an event, always with a deadline. The deadlines are generous:
 * they detect that something never happens, not that it is slow.
 */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** @import { EventEmitter } from 'node:events' */

const DEADLINE_MS = 60_000;
const POLL_MS = 25;

/**
 * Polls `condition` until it returns a truthy value.
 * @template T
 * @param {() => T | Promise<T>} condition an error that it throws counts as "not yet"
 * @param {string} what named in the error when the deadline passes
 * @returns {Promise<T>} the truthy value
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
    // A condition that runs a command must not slow down what it waits for.
    await pause(Math.max(POLL_MS, performance.now() - begin));
  } while (performance.now() < end);
  throw new Error(`waited ${deadlineMs} ms for ${what}: ${last}`);
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {string} what named in the error when the deadline passes
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
 * @returns {Promise<any[]>} the arguments of the event
 */
export function eventOf(emitter, name, deadlineMs = DEADLINE_MS) {
  return within(once(emitter, name), `the event '${name}'`, deadlineMs);
}
