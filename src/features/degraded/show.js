/** What a worker that serves does not do as it should. */
import { formatSize } from '../../shared/units.js';
import { undoFlags } from '../../show/change.js';
import { escapeLine } from '../../show/escape.js';
import { formatAge } from '../../show/quantity.js';
import { isFailing, MOST_EXITS } from './decide.js';

/**
 * @import { Worker } from '../../protocol/shapes.js'
 * @import { ShowFeature } from '../../show/features.js'
 */

const LIMIT_STEP = 100 * 1024 ** 2;
const MIN_LIMIT = 5 * LIMIT_STEP;

/** @type {ShowFeature} */
export const degraded = {
  troubles,
  verdict(app, worker, now) {
    const shown = worker ? [worker] : app.workers;
    const kinds = /** @type {const} */ (['waits', 'errors']);
    const facts = { unansweredMs: unansweredMs(shown, now), ...answersOf(shown) };
    if (kinds.some((kind) => suffering(shown, kind).length > 0 && isFailing(kind, facts))) {
      return 'failing';
    }
    if (suffering(shown, 'unknown').length > 0) return 'unknown';
    return troubles(app, worker, now).length > 0 ? 'degraded' : null;
  },
  commands,
};

/** @type {NonNullable<ShowFeature['troubles']>} `oldest request 5s`, `5xx 40/160`, `memory +14M/min`, `3 crashes in 1 m` */
function troubles(app, worker, now) {
  const shown = worker ? [worker] : app.workers;
  const oldest = Math.min(now, ...suffering(shown, 'waits').map(sinceWhen));
  const failing = suffering(shown, 'errors');
  // Of an app, all: that one of its workers fails is not that all do.
  const { answered, errors } = answersOf(worker ? failing : shown);
  const growth = sum(suffering(shown, 'memory').map(({ memoryGrowth = 0 }) => memoryGrowth));
  const cause = worker?.crashCause ? `: ${escapeLine(worker.crashCause)}` : '';
  const counts = shown.map(({ recentCrashes = 0 }) => recentCrashes);
  const crashes = sum(counts);
  const more = counts.some((count) => count >= MOST_EXITS) ? '+' : '';
  return [
    suffering(shown, 'unknown').length > 0 && 'its primary answers late',
    oldest < now && waitText(shown, now - oldest, now),
    failing.length > 0 && (answered > 0 ? `5xx ${errors}/${answered}` : '5xx, no request since'),
    growth > 0 && `memory +${formatSize(growth)}/min`,
    crashes > 0 && `${crashes}${more} ${crashes === 1 ? 'crash' : 'crashes'} in 1 m${cause}`,
  ].filter((text) => text !== false);
}

/** @param {Worker[]} workers @param {number} waitedMs @param {number} now */
function waitText(workers, waitedMs, now) {
  const { answered, errors } = answersOf(workers);
  const silentMs = unansweredMs(workers, now);
  if (isFailing('waits', { unansweredMs: silentMs, answered, errors })) {
    return `nothing answered for ${formatAge(silentMs)}`;
  }
  return `oldest request ${formatAge(waitedMs)}${answered > 0 ? '' : ', 0 answered'}`;
}

/** @type {NonNullable<ShowFeature['commands']>} */
function commands(app, now) {
  const { workers, spec } = app;
  const name = escapeLine(app.name);
  /** @type {[command: string, why: string][]} */
  const rows = [];
  if (suffering(workers, 'waits').length > 0) {
    rows.push([`why ${name}`, 'see which servers it may wait for']);
  }
  const failing = suffering(workers, 'errors');
  const half = answersOf(workers).errors / 2;
  // If most of them fail, it does not help to replace one.
  const one = failing.length > workers.length / 2 ? [] : failing;
  const undo = failing.length > 0 && one.length === 0 ? undoFlags(app, now) : null;
  if (undo) rows.push([`reload ${name} ${escapeLine(undo)}`, 'undo the last change']);
  const culprit = one.find(({ requests }) => Number(requests?.errors) > half);
  const serving = workers.filter(({ status }) => status === 'online');
  if (failing.length > 0 || serving.some(({ recentCrashes }) => recentCrashes)) {
    rows.push([`logs ${culprit ? `${name}:${culprit.slot}` : name}`, 'read what it wrote']);
  }
  if (culprit) {
    rows.push([
      `restart ${name}:${culprit.slot}`,
      'if the log shows that only this worker is at fault',
    ]);
  }
  const [first, ...others] = suffering(workers, 'memory');
  if (!first) return rows;
  rows.push([`profile ${name}:${first.slot} --heap`, 'see what fills its memory']);
  if (spec?.maxMemoryRestartBytes) return rows;
  const largest = Math.max(...[first, ...others].map(({ memory = 0 }) => memory));
  const limit = Math.max(MIN_LIMIT, Math.ceil((2 * largest) / LIMIT_STEP) * LIMIT_STEP);
  const why = 'have workers replaced before memory is full';
  return [...rows, [`reload ${name} --max-memory-restart ${formatSize(limit)}`, why]];
}

/** @param {Worker[]} workers @param {Worker['degraded']} verdict */
function suffering(workers, verdict) {
  return workers.filter((worker) => worker.degraded === verdict);
}

/** @param {Worker[]} workers @param {number} now @returns {number} how long requests have waited while none of them answered one */
function unansweredMs(workers, now) {
  const waits = workers.map(({ requests }) => ({
    answered: requests?.answered ?? 0,
    ms: now - (requests?.unansweredSince ?? now),
  }));
  const active = waits.filter(({ answered }) => answered > 0);
  return active.length > 0
    ? Math.min(...active.map(({ ms }) => ms))
    : Math.max(0, ...waits.map(({ ms }) => ms));
}

/** @param {Worker} worker */
function sinceWhen({ requests }) {
  return requests?.oldestSince ?? Infinity;
}

/** @param {Worker[]} workers */
function answersOf(workers) {
  return {
    answered: sum(workers.map(({ requests }) => requests?.answered ?? 0)),
    errors: sum(workers.map(({ requests }) => requests?.errors ?? 0)),
  };
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
