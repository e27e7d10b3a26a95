/** Causes a fault under traffic, and counts what it costs. It knows nothing of the supervisor. */
import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '../../shared/deadline.js';
import { eventOf } from './verdict.js';
import { Traffic } from './traffic.js';

/**
 * @import { Loss } from './in-flight.js'
 * @import { Place } from './place.js'
 * @import { Event } from './verdict.js'
 *
 * @typedef {object} Fault
 * @property {string} event
 * @property {() => Promise<Loss | null>} cause resolves when it is done: a process has exited, a
 *   reload has ended; null: nothing was killed. Throws if it failed
 * @property {() => Promise<boolean>} isWhole whether everything runs again
 *
 * @typedef {{perSecond: number, known: ReadonlySet<number>, wholeWithinMs?: number}} Conditions
 */

/** Traffic before and after the event. */
const CALM_MS = 1000;
const WHOLE_MS = 60_000;
const POLL_MS = 50;

/**
 * @param {Place} place
 * @param {number} perSecond
 * @returns {Promise<{event: Event, known: ReadonlySet<number>}>} of an app that is left alone, and the
 *   statuses of its answers
 */
export async function measureBefore(place, perSecond) {
  const traffic = new Traffic(place, perSecond);
  traffic.begin();
  await sleep(CALM_MS);
  const asked = await traffic.end();
  const known = new Set(asked.flatMap(({ status }) => (status === null ? [] : [status])));
  return { event: eventOf('before', asked, { known }), known };
}

/**
 * @param {Place} place
 * @param {Fault} fault
 * @param {Conditions} conditions
 * @returns {Promise<Event>}
 */
export async function measureFault(place, fault, { perSecond, known, wholeWithinMs = WHOLE_MS }) {
  const traffic = new Traffic(place, perSecond);
  traffic.begin();
  await sleep(CALM_MS);
  const begunMs = performance.now();
  /** @type {Loss | null} */
  let loss = null;
  /** @type {string | null} */
  let trouble = null;
  try {
    loss = await fault.cause();
  } catch (error) {
    trouble = /** @type {Error} */ (error).message;
  }
  const whole = await poll(fault.isWhole, { timeoutMs: wholeWithinMs, everyMs: POLL_MS });
  const wholeMs = performance.now() - begunMs;
  if (whole === null) trouble ??= `the app was not whole again within ${wholeWithinMs / 1000} s`;
  await sleep(CALM_MS);
  return eventOf(fault.event, await traffic.end(), { known, loss, wholeMs, trouble });
}
