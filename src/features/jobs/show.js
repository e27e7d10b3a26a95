/** What a job does, what came of its last run, and when the next one begins. */
import { formatElapsed } from '../../shared/units.js';
import { escapeLine } from '../../show/escape.js';
import { reasonText } from '../../show/reason.js';
import { ageOf, formatAge, formatAgo, formatCountdown, formatMoment } from '../../show/quantity.js';

/**
 * @import { JobRun } from './record.js'
 * @import { ShowFeature } from '../../show/features.js'
 */

/** @type {ShowFeature} */
export const jobs = {
  worker({ job }, worker, now) {
    if (!job) return null;
    const last = job.lastRun && lastText(job.lastRun);
    if (worker.status === 'waiting') {
      const { nextRunAt } = job;
      const wait = nextRunAt ? formatCountdown(nextRunAt - now) : 'for no further time';
      return [`waiting ${wait}`, last].filter(Boolean).join(', ');
    }
    const runs = ['starting', 'online'].includes(worker.status);
    return runs ? `running ${formatAge(ageOf(worker.startedAt ?? now, now))}` : null;
  },

  outcome({ action }, { job, stopped }, now) {
    if (!job || stopped.length > 0 || action === 'run') return null;
    const { nextRunAt } = job;
    const isChange = ['reload', 'restart', 'configure'].includes(action);
    const text = isChange
      ? 'the next run has the current settings and code'
      : 'runs on its schedule';
    if (nextRunAt === undefined) return `${text}; it has no further run`;
    return `${text}, next in ${formatCountdown(nextRunAt - now)}`;
  },

  section({ job }, now) {
    if (!job) return null;
    const { schedule, timezone, overlap, nextRunAt, lastRun, skipped } = job;
    const zone = timezone ? ` (${timezone})` : '';
    const left = skipped > 0 ? `, ${skipped} skipped` : '';
    const next = nextRunAt && `${formatMoment(nextRunAt)}, in ${formatCountdown(nextRunAt - now)}`;
    const ended = lastRun?.ok ? 'succeeded' : `failed: ${lastRun && reasonText(lastRun.reason)}`;
    const took = lastRun && `took ${formatElapsed(lastRun.durationMs)}`;
    const last = lastRun && `${ended}, ${took}, ${formatAgo(lastRun.at, now)}`;
    return {
      title: 'Job',
      facts: [
        ['schedule', `${schedule}${zone}, overlap: ${overlap}${left}`],
        ['next run', next],
        ['last run', last, lastRun?.ok === false ? 'bad' : ''],
      ],
    };
  },

  metrics: [
    {
      name: 'job_last_run_successful',
      type: 'gauge',
      help: 'Whether the last run of a job succeeded.',
      read: ({ job }) => job?.lastRun && Number(job.lastRun.ok),
    },
    {
      name: 'job_last_run_time_seconds',
      type: 'gauge',
      help: 'End time of the last run since the epoch.',
      read: ({ job }) => job?.lastRun && job.lastRun.at / 1000,
    },
    {
      name: 'job_next_run_time_seconds',
      type: 'gauge',
      help: 'Time of the next run since the epoch.',
      read: ({ job }) => job?.nextRunAt && job.nextRunAt / 1000,
    },
    {
      name: 'job_skipped_runs_total',
      type: 'counter',
      help: 'Runs that were skipped because the one before had not ended.',
      read: ({ job }) => job?.skipped,
    },
  ],
};

/** @param {JobRun} run */
function lastText({ ok, code, signal, durationMs }) {
  const failure = signal ?? (code === undefined ? 'not started' : `exit ${code}`);
  return `last ${ok ? 'ok' : `failed (${escapeLine(failure)})`}, took ${formatElapsed(durationMs)}`;
}
