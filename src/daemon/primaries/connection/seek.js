/** Tries to connect to a primary until it answers or has exited. */
import { setTimeout as sleep } from 'node:timers/promises';
import { doublingDelay } from '../../../lifecycle/delays.js';
import { isAbsence } from '../../../protocol/client.js';
import { HEALED_MS } from '../../../shared/presence.js';
import { isAlive } from '../../../shared/processes/identity.js';

/** @import { PrimaryRecord } from '../../../shared/processes/records.js' */

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
  let attempts = 0;
  /** @type {number | null} */
  let absentMs = null;
  while (isCurrent()) {
    try {
      await dial();
      return 'found';
    } catch (error) {
      onFailure(error);
      absentMs = isAbsence(error) ? (absentMs ?? performance.now()) : null;
    }
    if (isCurrent() && (!isAlive(record) || hasLeft(record, absentMs))) return 'ended';
    if (performance.now() >= endMs) break;
    await sleep(doublingDelay(attempts, FIRST_RETRY_MS, MAX_RETRY_MS));
    attempts += 1;
  }
  return 'given up';
}

/**
 * @param {PrimaryRecord} record
 * @param {number | null} absentMs since when nobody listens on its socket
 * @returns {boolean} whether the process runs for other apps only; otherwise it restores its socket
 */
function hasLeft({ isShared }, absentMs) {
  return isShared === true && absentMs !== null && performance.now() - absentMs >= HEALED_MS;
}
