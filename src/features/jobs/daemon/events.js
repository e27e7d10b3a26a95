/** What the primary of a job reports about its process, as what it means for the run. */
import { describeExit, isExpectedExit } from '../../../lifecycle/exits.js';

/**
 * @import { Spec } from '../../../config/spec.js'
 * @import { PrimaryEvent } from '../../../protocol/methods.js'
 */

/**
 * @param {PrimaryEvent} event
 * @param {Pick<Spec, 'autorestart' | 'stopExitCodes'>} spec
 * @returns {(PrimaryEvent & {ok?: boolean}) | null} null: it says nothing more
 */
export function jobEvent(event, spec) {
  if (event.type === 'worker.errored') return null;
  if (event.type !== 'worker.exited') return event;
  const { code = null, signal = null, fault = null } = event;
  const exit = { code, signal, fault };
  const ok = isExpectedExit(spec, exit);
  // A process that was ended for a failure has a better reason than its signal.
  const reason = ok || !event.reason ? describeExit(exit) : event.reason;
  return { ...event, type: 'job.ended', ok, reason };
}
