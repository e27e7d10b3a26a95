/** @import { AppChange, Status } from '../protocol/shapes.js' */

/** Problems come first: the first status that a worker has is the status of its app. */
export const STATUS_ORDER = /** @type {readonly Status[]} */ ([
  'errored',
  'unresponsive',
  'backoff',
  'unknown',
  'starting',
  'draining',
  'stopping',
  'online',
  'waiting',
  'exited',
  'stopped',
]);

/**
 * With one that is not applied, the app has its earlier settings; a reload may have brought new code.
 * @param {Pick<AppChange, 'action' | 'isApplied'> & {differences: readonly unknown[]}} change
 * @returns whether it may be why the app is not as it should be
 */
export function mayBreak({ isApplied, differences, action }) {
  return isApplied && (differences.length > 0 || action === 'reload');
}
