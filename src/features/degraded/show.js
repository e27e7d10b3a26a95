/** What a worker that serves does not do as it should. */
import { formatSize } from '../../shared/units.js';
import { escapeLine } from '../../show/escape.js';
import { formatAge } from '../../show/quantity.js';
import { sumOfAnswers } from './decide.js';

/**
 * @import { App, Worker } from '../../protocol/shapes.js'
 * @import { ShowFeature } from '../../show/features.js'
 */

/** @type {ShowFeature} */
export const degraded = {
  troubles,
  verdict: (...args) => (troubles(...args).length > 0 ? 'degraded' : null),
  commands,
};

/**
 * @param {App} app
 * @param {Worker | null} worker null: the app as a whole
 * @param {number} now epoch ms
 * @returns {string[]} `oldest request 5s`, `5xx 40/160`, `+14M/min`, `3 crashes in 1 m`
 */
function troubles(app, worker, now) {
  const shown = worker ? [worker] : app.workers;
  const oldest = Math.min(now, ...suffering(shown, 'waits').map(sinceWhen));
  const failing = suffering(shown, 'errors');
  // Of an app, all: that one of its workers fails is not that all do.
  const { answered, errors } = answersOf(worker ? failing : shown);
  const growth = sum(suffering(shown, 'memory').map(({ memoryGrowth = 0 }) => memoryGrowth));
  const cause = worker?.crashCause ? `: ${escapeLine(worker.crashCause)}` : '';
  const crashes = sum(shown.map(({ recentCrashes = 0 }) => recentCrashes));
  return [
    oldest < now && `oldest request ${formatAge(now - oldest)}`,
    failing.length > 0 && `5xx ${errors}/${answered}`,
    growth > 0 && `+${formatSize(growth)}/min`,
    crashes > 0 && `${crashes} ${crashes === 1 ? 'crash' : 'crashes'} in 1 m${cause}`,
  ].filter((text) => text !== false);
}

/** @param {App} app @returns {[command: string, why: string][]} */
function commands({ name: app, workers }) {
  const failing = suffering(workers, 'errors');
  const half = answersOf(workers).errors / 2;
  // If all of them fail, it does not help to replace one.
  const one = failing.filter(
    ({ requests }) => workers.length > 1 && Number(requests?.errors) > half,
  );
  const name = escapeLine(app);
  /** @type {[command: string, why: string][]} */
  const rows = one.map(({ slot }) => [
    `restart ${name}:${slot}`,
    'replace the worker that answers with errors',
  ]);
  if (failing.length > 0) rows.push([`logs ${name} --err`, 'read what it wrote about the errors']);
  const waits = suffering(workers, 'waits').length > 0;
  return waits ? [[`why ${name}`, 'see which servers it may wait for'], ...rows] : rows;
}

/** @param {Worker[]} workers @param {Worker['degraded']} verdict */
function suffering(workers, verdict) {
  return workers.filter((worker) => worker.degraded === verdict);
}

/** @param {Worker} worker */
function sinceWhen({ requests }) {
  return requests?.oldestSince ?? Infinity;
}

/** @param {Worker[]} workers */
function answersOf(workers) {
  return sumOfAnswers(workers.map(({ requests }) => ({ answered: 0, errors: 0, ...requests })));
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
