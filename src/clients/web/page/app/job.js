/** A job: when it runs, what came of its last run, and when the next one begins. */
import { html } from '../html.js';
import { formatAge, formatCountdown, formatElapsed, formatMoment } from '../format/quantity.js';
import { FactList } from './facts.js';

/**
 * @import { Job as JobState } from '../../shapes.js'
 * @import { App } from '../state/model.js'
 */

/** @param {{app: App, now: number}} props */
export function Job({ app: { job }, now }) {
  if (job === undefined) return null;
  return html`
    <section class="card pane" aria-labelledby="job-title">
      <h2 id="job-title">Job</h2>
      <${FactList} facts=${jobFacts(job, now)} />
    </section>
  `;
}

/**
 * @param {JobState} job
 * @param {number} now epoch ms
 * @returns {[label: string, value: string, tone?: string][]} as `describe` says it
 */
export function jobFacts({ schedule, timezone, overlap, skipped, nextRunAt, lastRun }, now) {
  const next = nextRunAt
    ? `${formatMoment(nextRunAt, now)}, in ${formatCountdown(nextRunAt - now)}`
    : 'none';
  return [
    ['last run', lastRun ? runText(lastRun, now) : 'none yet', lastRun?.ok === false ? 'bad' : ''],
    ['next run', next],
    ['schedule', `${schedule}${timezone ? ` (${timezone})` : ''}`],
    ['overlap', `${overlap}${skipped > 0 ? `, ${skipped} left out` : ''}`],
  ];
}

/** @param {NonNullable<JobState['lastRun']>} run @param {number} now */
function runText({ ok, reason, durationMs, at }, now) {
  const outcome = ok ? 'succeeded' : `failed: ${reason}`;
  return `${outcome}, took ${formatElapsed(durationMs)}, ${formatAge(now - at)} ago`;
}
