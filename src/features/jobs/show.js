/** What a job does, what came of its last run, and when the next one begins. */
import { maskLine } from '../../show/mask.js';
import { formatAge, formatCountdown, formatElapsed, formatMoment } from '../../show/quantity.js';

/**
 * @import { AppOutcome, AppSummary, AppView, JobRun, JobView, WorkerView } from '../../protocol/shapes.js'
 * @import { ShowFeature } from '../../show/features.js'
 */

/**
 * @typedef {Pick<JobRun, 'at' | 'ok' | 'reason' | 'durationMs'>} Run
 * @typedef {Pick<JobView, 'schedule' | 'overlap' | 'skipped'> & {timezone?: string | null, nextRunAt?: number | null,
 *   lastRun?: Run | null}} Job what is not known is null or missing
 */

/** @type {ShowFeature} */
export const jobs = { worker: jobState, outcome: scheduleText, facts: jobFacts };

/**
 * @param {AppView} app
 * @param {WorkerView} worker
 * @returns {string | null} `waiting 4m 10s, last ok, took 2.1 s`, `running 12 s`; null: it is not a job, or says more otherwise
 */
function jobState({ job }, worker) {
  if (!job) return null;
  const last = job.lastRun && lastText(job.lastRun);
  if (worker.status === 'waiting') {
    const wait =
      job.nextRunInMs === null ? 'for no further time' : formatCountdown(job.nextRunInMs);
    return [`waiting ${wait}`, last].filter(Boolean).join(', ');
  }
  const runs = ['starting', 'online'].includes(worker.status);
  return runs ? `running ${formatAge(worker.uptimeMs ?? 0)}` : null;
}

/**
 * @param {Pick<AppOutcome, 'action'>} outcome
 * @param {Pick<AppSummary, 'nextRunInMs'>} after the command
 * @returns {string | null} null: it is not a job, or a run of it
 */
function scheduleText({ action }, { nextRunInMs }) {
  // A run goes on when it has begun.
  if (nextRunInMs === undefined || action === 'run') return null;
  const isChange = ['reload', 'restart', 'configure'].includes(action);
  const text = isChange ? 'the next run has the current settings and code' : 'runs at its times';
  if (nextRunInMs === null) return `${text}, of which there is no further one`;
  return `${text}, next in ${formatCountdown(nextRunInMs)}`;
}

/**
 * @param {{job?: Job | null}} app
 * @param {number} now epoch ms
 * @returns {[label: string, text: unknown][]} facts of `describe`, without a text if there is none
 */
export function jobFacts({ job }, now) {
  if (!job) return [];
  const { schedule, timezone, overlap, nextRunAt, lastRun, skipped } = job;
  const zone = timezone ? ` (${timezone})` : '';
  const left = skipped > 0 ? `, ${skipped} left out` : '';
  const next = nextRunAt && `${formatMoment(nextRunAt)}, in ${formatCountdown(nextRunAt - now)}`;
  return [
    ['schedule', maskLine(`${schedule}${zone}, overlap: ${overlap}${left}`)],
    ['next run', next],
    ['last run', lastRun && `${runText(lastRun)}, ${formatAge(now - lastRun.at)} ago`],
  ];
}

/** @param {JobRun} run */
function lastText({ ok, code, signal, durationMs }) {
  const failure = signal ?? (code === null ? 'not started' : `exit ${code}`);
  return `last ${ok ? 'ok' : `failed (${maskLine(failure)})`}, took ${formatElapsed(durationMs)}`;
}

/** @param {Run} run */
function runText({ ok, reason, durationMs }) {
  return maskLine(`${ok ? 'succeeded' : `failed: ${reason}`}, took ${formatElapsed(durationMs)}`);
}
