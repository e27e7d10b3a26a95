/** How a job is shown: its times, and its last run. */
import { describeExit, isExpectedExit } from '../../../lifecycle/exits.js';
import { withoutNulls } from '../../../shared/merge-patch.js';

/**
 * @import { PastExit } from '../../../protocol/shapes.js'
 * @import { Job } from '../record.js'
 * @import { App } from '../../../daemon/apps/app.js'
 * @import { JobState } from './timetable.js'
 * @import { Spec } from '../../../config/spec.js'
 * @import { PrimaryEvent } from '../../../protocol/methods.js'
 */

/**
 * @param {App} app
 * @param {JobState | null} state
 * @returns {Job | undefined} undefined: it is not a job
 */
export function jobOf({ spec, link }, state) {
  const { schedule, timezone, overlap } = spec;
  if (schedule === null) return undefined;
  const lastExit = link.snapshot?.slots[0]?.lastExit ?? null;
  return withoutNulls({
    schedule,
    timezone,
    overlap,
    nextRunAt: state && nextRunAt(state),
    skipped: state?.skipped ?? 0,
    lastRun: lastExit && runOf(lastExit, spec),
  });
}

/** @param {JobState} state @returns {number | null} null: it has no further time */
export function nextRunAt({ times }) {
  return times.next?.getTime() ?? null;
}

/** @param {PastExit} exit @param {App['spec']} spec */
function runOf(exit, spec) {
  const { at, uptimeMs: durationMs, code, signal, reason } = exit;
  const ok = isExpectedExit(spec, exit);
  return { at, durationMs, ok, code, signal, reason: ok ? describeExit(exit) : reason };
}

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
