/** @import { SlotState, Status } from '../protocol/shapes.js' */

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

/** Statuses in which a worker has failed. Its restart policy may start it again, which takes too long. */
const FAILED = ['errored', 'backoff', 'stopped'];

/**
 * @typedef {Pick<SlotState, 'slot' | 'status' | 'reason' | 'lastExit'>} SlotView
 * @typedef {{verdict: 'exited' | 'wait'} | {verdict: 'failed', slot: number | null, reason: string}} Completion
 *   slot null: the app as a whole
 */

/**
 * Whether an app that others wait for has done its work: `depends_on: {migrate: exited}`.
 * @param {readonly SlotView[]} slots that should have a worker, at least one
 * @returns {Completion} exited: every worker has exited as its settings expect
 */
export function judgeCompletion(slots) {
  const failed = slots.find(({ status }) => FAILED.includes(status));
  if (failed) {
    const { slot, status, lastExit } = failed;
    const failure = lastExit?.reason ?? failed.reason ?? 'failed';
    const reason = status === 'stopped' ? 'was stopped before it had exited' : failure;
    return { verdict: 'failed', slot, reason };
  }
  return { verdict: slots.every(({ status }) => status === 'exited') ? 'exited' : 'wait' };
}
