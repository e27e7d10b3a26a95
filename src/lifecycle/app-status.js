/** @import { AppChange, Status } from '../protocol/shapes.js' */

/** Problems come first: the first status that a worker has is the status of its app. */
export const STATUS_ORDER = /** @type {readonly Status[]} */ ([
  'errored',
  'blocked',
  'backoff',
  'unknown',
  'starting',
  'draining',
  'stopping',
  'online',
  'spare',
  'waiting',
  'exited',
  'stopped',
]);

/** Whether it may be why the app is not as it should be; the number of workers is not. @param {Pick<AppChange, 'action' | 'isApplied'> & {differences: readonly {key: string}[]}} change */
export function mayBreak({ isApplied, differences, action }) {
  return isApplied && (action === 'reload' || differences.some(({ key }) => key !== 'instances'));
}
