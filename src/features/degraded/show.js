/** What a worker that serves does not do as it should. */
import { formatSize } from '../../shared/units.js';
import { escapeLine } from '../../show/escape.js';
import { formatAge, formatAgo } from '../../show/quantity.js';
import { isKilled, reasonText } from '../../show/reason.js';
import { isFailing } from './decide.js';

/**
 * @import { App, Worker } from '../../protocol/shapes.js'
 * @import { ShowFeature } from '../../show/features.js'
 */

/** @type {ShowFeature} */
export const degraded = {
  troubles(app, worker, now) {
    const shown = worker ? [worker] : app.workers;
    const texts = textsOf(shown, worker, now);
    return texts.length > 0 ? { verdict: verdictOn(shown, now), texts } : null;
  },
  commands,
};

/** @param {Worker[]} workers in trouble @param {number} now */
function verdictOn(workers, now) {
  const kinds = /** @type {const} */ (['files', 'waits', 'errors']);
  const facts = { unansweredMs: unansweredMs(workers, now), ...answersOf(workers) };
  const isBad = kinds.some((kind) => suffering(workers, kind).length > 0 && isFailing(kind, facts));
  if (isBad) return 'failing';
  return suffering(workers, 'unknown').length > 0 ? 'unknown' : 'degraded';
}

/** @param {Worker[]} shown @param {Worker | null} worker null: of the whole app @param {number} now @returns {string[]} `1500 of 1500 files open`, `oldest request 5s`, `5xx 40/160`, `memory +14M/min`, `replacement failed 3 times: exited with code 1`, `crashed 12s ago` */
function textsOf(shown, worker, now) {
  const waiting = suffering(shown, 'waits').flatMap(({ requests }) => requests?.oldestSince ?? []);
  const oldest = Math.min(now, ...waiting);
  const failing = suffering(shown, 'errors');
  // Of an app, all: that one of its workers fails is not that all do.
  const { answered, errors } = answersOf(worker ? failing : shown);
  const growth = sum(suffering(shown, 'memory').map(({ memoryGrowth = 0 }) => memoryGrowth));
  const [files] = shown.flatMap(({ files }) => files ?? []);
  return [
    suffering(shown, 'unknown').length > 0 && 'its primary answers late',
    files && `${files.open} of ${files.limit} files open`,
    oldest < now && waitText(shown, now - oldest, now),
    failing.length > 0 && (answered > 0 ? `5xx ${errors}/${answered}` : '5xx, then idle'),
    replacementText(shown),
    growth > 0 && `memory +${formatSize(growth)}/min`,
    crashText(shown, now),
  ].filter((text) => typeof text === 'string');
}

/** @param {Worker[]} workers @returns {string | false} */
function replacementText(workers) {
  const [failed] = workers.flatMap(({ failedReplacement }) => failedReplacement ?? []);
  if (!failed) return false;
  const times = failed.count === 1 ? '' : ` ${failed.count} times`;
  return `replacement failed${times}: ${escapeLine(reasonText({ ...failed.reason, replaces: undefined }))}`;
}

/** The last one; `restarts` counts them. @param {Worker[]} workers @param {number} now */
function crashText(workers, now) {
  // One that was killed has done nothing wrong.
  const crashes = workers.flatMap(({ crash }) =>
    crash && !isKilled(crash.reason) ? crash.at : [],
  );
  return crashes.length > 0 && `crashed ${formatAgo(Math.max(...crashes), now)}`;
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
function commands(app) {
  const { workers } = app;
  const name = escapeLine(app.name);
  const wrong = suffering(workers, 'errors');
  const others = workers.filter((each) => each.requests?.answered && !wrong.includes(each));
  // Their code is the same.
  const [culprit] = wrong.length === 1 && others.length > 0 ? wrong : [];
  const isFull = workers.some(({ lastError, crash, cause }) =>
    [lastError, crash?.cause, cause].join().includes('ENOSPC'),
  );
  const shown = culprit ? `${name}:${culprit.slot}` : name;
  const has = (/** @type {Worker['degraded']} */ verdict) => suffering(workers, verdict).length > 0;
  const [growing] = suffering(workers, 'memory');
  const isRead = wrong.length > 0 || workers.some(hasWritten);
  return [
    [isFull, 'df -h', 'see which disk is full'],
    [
      culprit !== undefined && !isYoungest(culprit, others),
      `nodecluster restart ${shown}`,
      'replace it, as the others answer',
    ],
    [has('files'), `nodecluster reload ${name}`, 'close what it has opened'],
    [has('waits'), `nodecluster why ${name}`, 'see which servers it may wait for'],
    [has('waits'), `nodecluster restart ${name}`, 'if no server is to blame: drop what hangs'],
    [isRead, `nodecluster logs ${shown}`, 'read what it wrote'],
    [Boolean(growing), `nodecluster profile ${name}:${growing?.slot} --heap`, 'see what fills it'],
  ];
}

/** Whether logs say what happened: whoever kills a worker writes nothing there. @param {Worker} worker */
function hasWritten({ status, crash, degraded, lastExit }) {
  if (degraded === 'replacement') return true;
  const isCrash = status === 'online' && crash !== undefined && !isKilled(crash.reason);
  return isCrash && lastExit?.lastLines.length !== 0;
}

/** Whether it was started after the others, which has not helped. @param {Worker} worker @param {Worker[]} others */
function isYoungest({ startedAt = 0 }, others) {
  // Those that start together differ by less.
  return others.every((other) => startedAt - (other.startedAt ?? 0) > 10_000);
}

/** @param {Worker[]} workers @param {Worker['degraded']} verdict */
function suffering(workers, verdict) {
  return workers.filter((worker) => worker.degraded === verdict);
}

/** How long requests have waited while none of them answered one. @param {Worker[]} workers @param {number} now */
function unansweredMs(workers, now) {
  const active = workers.filter(({ requests }) => requests?.answered);
  const since = (/** @type {Worker} */ { requests }) => now - (requests?.unansweredSince ?? now);
  return active.length > 0 ? Math.min(...active.map(since)) : Math.max(0, ...workers.map(since));
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
