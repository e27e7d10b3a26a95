/** Dials a primary again and again, until it answers or has ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../shared/process-identity.js';

/** @import { PrimaryRecord } from './record.js' */

const FIRST_RETRY_MS = 20;
const MAX_RETRY_MS = 1000;

/**
 * @param {PrimaryRecord} record
 * @param {object} how
 * @param {() => Promise<void>} how.dial
 * @param {() => boolean} how.isWanted asked before each try: it may be none of our business any more
 * @param {(error: unknown) => void} how.onFailure of one try
 * @param {number} how.withinMs
 * @returns {Promise<'found' | 'ended' | 'given up'>}
 */
export async function seekPrimary(record, { dial, isWanted, onFailure, withinMs }) {
  const endMs = performance.now() + withinMs;
  let delay = FIRST_RETRY_MS;
  while (isWanted() && performance.now() < endMs) {
    try {
      await dial();
      return 'found';
    } catch (error) {
      onFailure(error);
    }
    if (isWanted() && !isAlive(record)) return 'ended';
    await sleep(delay);
    delay = Math.min(2 * delay, MAX_RETRY_MS);
  }
  return 'given up';
}
