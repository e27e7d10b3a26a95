/** What a job does, what came of its last run, and when the next one begins. */
import { maskLine } from '../../cli/render/mask.js';
import { formatAge, formatCountdown, formatElapsed } from '../../cli/render/quantity.js';

/** @import { AppOutcome, AppSummary, AppView, JobRun, WorkerView } from '../../protocol/shapes.js' */

/**
 * @param {AppView} app
 * @param {WorkerView} worker
 * @returns {string | null} `waiting 4m 10s, last ok, took 2.1 s`, `running 12 s`; null: it is not a job, or says more otherwise
 */
export function jobState({ job }, worker) {
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
 * @returns {string}
 */
export function scheduleText({ action }, { nextRunInMs = null }) {
  const isChange = ['reload', 'restart', 'configure'].includes(action);
  const text = isChange ? 'the next run has the current settings and code' : 'runs at its times';
  if (nextRunInMs === null) return `${text}, of which there is no further one`;
  return `${text}, next in ${formatCountdown(nextRunInMs)}`;
}

/**
 * @param {AppView} app
 * @param {number} now epoch ms
 * @returns {[label: string, text: string | null][]} facts of `describe`
 */
export function jobFacts({ job }, now) {
  if (!job) return [];
  const { schedule, timezone, overlap, nextRunAt, nextRunInMs, lastRun, skipped } = job;
  const zone = timezone ? ` (${timezone})` : '';
  const left = skipped > 0 ? `, ${skipped} left out` : '';
  const next =
    nextRunAt === null ? null : `${localTime(nextRunAt)}, in ${formatCountdown(nextRunInMs ?? 0)}`;
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

/** @param {JobRun} run */
function runText({ ok, reason, durationMs }) {
  return maskLine(`${ok ? 'succeeded' : `failed: ${reason}`}, took ${formatElapsed(durationMs)}`);
}

/** @param {number} at epoch ms @returns {string} as in `date`, in the time zone of the terminal */
function localTime(at) {
  const date = new Date(at);
  const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}
