/** How a job is shown: its times, and its last run. */
import { describeExit } from '../../../lifecycle/exits/describe-exit.js';
import { isExpectedExit } from '../../../lifecycle/restart-policy.js';

/**
 * @import { JobRun, JobView, PastExit, Status, WorkerStatus } from '../../../protocol/shapes.js'
 * @import { App } from '../../../daemon/apps/app.js'
 */

/** Statuses of a worker without a process that nothing but its schedule starts. */
const WAITING = ['stopped', 'exited', 'errored', 'backoff'];

/** @param {App} app @returns {JobView | null} null: it is not a job */
export function viewJob({ spec, job, link }) {
  const { schedule, timezone, overlap } = spec;
  if (schedule === null) return null;
  const lastExit = link.snapshot?.slots[0]?.lastExit ?? null;
  return {
    schedule,
    timezone,
    overlap,
    nextRunAt: nextRunAt({ job }),
    nextRunInMs: nextRunInMs({ job }),
    skipped: job?.skipped ?? 0,
    lastRun: lastExit && viewRun(lastExit, spec),
  };
}

/** @param {Pick<App, 'job'>} app @returns {number | null} null: it has no further time */
export function nextRunInMs({ job }) {
  return job?.times.msUntilNext(Date.now()) ?? null;
}

/** @param {Pick<App, 'job'>} app @returns {number | null} epoch ms */
function nextRunAt({ job }) {
  return job?.times.next?.getTime() ?? null;
}

/**
 * @param {Pick<App, 'isJob' | 'stopped'>} app
 * @param {WorkerStatus} reported
 * @returns {Status}
 */
export function jobStatus({ isJob, stopped }, reported) {
  return isJob && !stopped && WAITING.includes(reported) ? 'waiting' : reported;
}

/** @param {PastExit} exit @param {App['spec']} spec @returns {JobRun} */
function viewRun(exit, spec) {
  const { at, uptimeMs: durationMs, code, signal, reason } = exit;
  const ok = isExpectedExit(spec, exit);
  return { at, durationMs, ok, code, signal, reason: ok ? describeExit(exit) : reason };
}
