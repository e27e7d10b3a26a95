/** What a worker that serves does not do as it should. */
import { formatSize } from '../../shared/units.js';
import { undoFlags } from '../../show/change.js';
import { escapeLine } from '../../show/escape.js';
import { formatAge } from '../../show/quantity.js';
import { reasonText } from '../../show/reason.js';
import { isFailing, MOST_EXITS } from './decide.js';

/**
 * @import { App, Worker } from '../../protocol/shapes.js'
 * @import { ShowFeature } from '../../show/features.js'
 *
 * @typedef {ReturnType<NonNullable<ShowFeature['commands']>>} Commands
 */

const LIMIT_STEP = 100 * 1024 ** 2;
const MIN_LIMIT = 5 * LIMIT_STEP;

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
  const kinds = /** @type {const} */ (['waits', 'errors']);
  const facts = { unansweredMs: unansweredMs(workers, now), ...answersOf(workers) };
  const isBad = kinds.some((kind) => suffering(workers, kind).length > 0 && isFailing(kind, facts));
  if (isBad) return 'failing';
  return suffering(workers, 'unknown').length > 0 ? 'unknown' : 'degraded';
}

/** @param {Worker[]} shown @param {Worker | null} worker null: of the whole app @param {number} now @returns {string[]} `oldest request 5s`, `5xx 40/160`, `memory +14M/min`, `replacement failed 3 times: exited with code 1`, `3 crashes in 1m` */
function textsOf(shown, worker, now) {
  const waiting = suffering(shown, 'waits').flatMap(({ requests }) => requests?.oldestSince ?? []);
  const oldest = Math.min(now, ...waiting);
  const failing = suffering(shown, 'errors');
  // Of an app, all: that one of its workers fails is not that all do.
  const { answered, errors } = answersOf(worker ? failing : shown);
  const growth = sum(suffering(shown, 'memory').map(({ memoryGrowth = 0 }) => memoryGrowth));
  return [
    suffering(shown, 'unknown').length > 0 && 'its primary answers late',
    oldest < now && waitText(shown, now - oldest, now),
    failing.length > 0 &&
      (answered > 0 ? `5xx ${errors}/${answered}` : '5xx errors, no requests since'),
    ...shown
      .flatMap(({ files }) => files ?? [])
      .slice(0, 1)
      .map(filesText),
    replacementText(shown),
    growth > 0 && `memory +${formatSize(growth)}/min`,
    crashesText(shown, worker?.crashCause),
  ].filter((text) => text !== false);
}

/** @param {NonNullable<Worker['files']>} files */
function filesText({ open, limit }) {
  return `${open} of ${limit} files open`;
}

/** @param {Worker[]} workers @returns {string | false} */
function replacementText(workers) {
  const [failed] = workers.flatMap(({ failedReplacement }) => failedReplacement ?? []);
  if (!failed) return false;
  const times = failed.count === 1 ? '' : ` ${failed.count} times`;
  return `replacement failed${times}: ${escapeLine(reasonText({ ...failed.reason, replaces: undefined }))}`;
}

/** @param {Worker[]} workers @param {string} [cause] of the last one */
function crashesText(workers, cause) {
  const counts = workers.map(({ recentCrashes = 0 }) => recentCrashes);
  const crashes = sum(counts);
  const more = counts.some((count) => count >= MOST_EXITS) ? '+' : '';
  const text = `${crashes}${more} ${crashes === 1 ? 'crash' : 'crashes'} in 1m`;
  return crashes > 0 && (cause ? `${text}: ${escapeLine(cause)}` : text);
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
  const name = escapeLine(app.name);
  /** @type {Commands} */
  const forWaits = [[`why ${name}`, 'see which servers it may wait for']];
  /** @type {Commands} */
  const forFiles = [[`reload ${name}`, 'close what it has opened']];
  /** @type {Commands} */
  const forReplacement = [[`logs ${name}`, 'read what its replacement wrote']];
  return [
    ...(suffering(app.workers, 'waits').length > 0 ? forWaits : []),
    ...(app.workers.some(({ files }) => files) ? forFiles : []),
    ...commandsForErrors(app, name, now),
    ...(suffering(app.workers, 'replacement').length > 0 ? forReplacement : []),
    ...commandsForMemory(app, name),
  ];
}

/** @param {App} app @param {string} name @param {number} now @returns {Commands} */
function commandsForErrors(app, name, now) {
  const { workers } = app;
  const failing = suffering(workers, 'errors');
  const crashed = workers.some(
    ({ status, recentCrashes, lastExit }) =>
      status === 'online' && recentCrashes && lastExit?.lastLines.length !== 0,
  );
  if (failing.length === 0) return crashed ? [[`logs ${name}`, 'read what it wrote']] : [];
  const areMost = failing.length > workers.length / 2;
  const undo = areMost ? undoFlags(app, now) : null;
  const half = answersOf(workers).errors / 2;
  const culprit = areMost
    ? undefined
    : failing.find(({ requests }) => Number(requests?.errors) > half);
  const shown = culprit ? `${name}:${culprit.slot}` : name;
  /** @type {Commands} */
  const look = [[`logs ${shown}`, 'read what it wrote']];
  return undo ? [[`reload ${name} ${escapeLine(undo)}`, 'undo the last change'], ...look] : look;
}

/** @param {App} app @param {string} name @returns {Commands} */
function commandsForMemory({ workers, spec }, name) {
  const [first, ...others] = suffering(workers, 'memory');
  if (!first) return [];
  /** @type {Commands} */
  const look = [[`profile ${name}:${first.slot} --heap`, 'see what fills its memory']];
  if (spec?.maxMemoryRestartBytes) return look;
  const largest = Math.max(...[first, ...others].map(({ memory = 0 }) => memory));
  const limit = Math.max(MIN_LIMIT, Math.ceil((2 * largest) / LIMIT_STEP) * LIMIT_STEP);
  const why = 'replace workers before memory is full';
  return [...look, [`reload ${name} --max-memory-restart ${formatSize(limit)}`, why]];
}

/** @param {Worker[]} workers @param {Worker['degraded']} verdict */
function suffering(workers, verdict) {
  return workers.filter((worker) => worker.degraded === verdict);
}

/** How long requests have waited while none of them answered one. @param {Worker[]} workers @param {number} now */
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
