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

/** Whether an app that others wait for has done its work: `depends_on: {migrate: exited}`. */

/** Statuses in which a worker has failed. Its restart policy may start it again, which takes too long. */
const FAILED = ['errored', 'backoff', 'stopped'];

/**
 * @typedef {Pick<SlotState, 'slot' | 'status' | 'reason' | 'lastExit'>} SlotView
 * @typedef {{verdict: 'exited' | 'wait'} | {verdict: 'failed', slot: number | null, reason: string}} Completion
 *   slot null: the app as a whole
 */

/**
 * @param {readonly SlotView[]} slots that should have a worker, at least one
 * @returns {Completion} exited: every worker has exited as its settings expect
 */
export function judgeCompletion(slots) {
  const failed = slots.find(({ status }) => FAILED.includes(status));
  if (failed) return { verdict: 'failed', slot: failed.slot, reason: describeFailure(failed) };
  return { verdict: slots.every(({ status }) => status === 'exited') ? 'exited' : 'wait' };
}

/** @param {SlotView} slot */
function describeFailure({ status, reason, lastExit }) {
  if (status === 'stopped') return 'was stopped before it had exited';
  return lastExit?.reason ?? reason ?? 'failed';
}
