/** Tries to connect to a primary until it answers or has exited. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../../shared/processes/identity.js';

/** @import { PrimaryRecord } from '../../../shared/processes/primary-record.js' */

const FIRST_RETRY_MS = 20;
const MAX_RETRY_MS = 1000;

/**
 * @param {PrimaryRecord} record
 * @param {object} options
 * @param {() => Promise<void>} options.dial
 * @param {() => boolean} options.isCurrent whether this is still the primary of the app
 * @param {(error: unknown) => void} options.onFailure called after each failed attempt
 * @param {number} options.withinMs 0: one attempt
 * @returns {Promise<'found' | 'ended' | 'given up'>}
 */
export async function seekPrimary(record, { dial, isCurrent, onFailure, withinMs }) {
  const endMs = performance.now() + withinMs;
  let delay = FIRST_RETRY_MS;
  while (isCurrent()) {
    try {
      await dial();
      return 'found';
    } catch (error) {
      onFailure(error);
    }
    if (isCurrent() && !isAlive(record)) return 'ended';
    if (performance.now() >= endMs) break;
    await sleep(delay);
    delay = Math.min(2 * delay, MAX_RETRY_MS);
  }
  return 'given up';
}
