/** What probes hear. A failed liveness probe kills the container, so it fails only for what nothing here repairs. */

import { workerReason } from './reason.js';

/** @import { App, Worker } from '../protocol/shapes.js' */

/**
 * @typedef {{ok: boolean, reasons: {app: string | null, reason: string}[]}} Verdict reasons: why not; app null: about all
 *
 * @typedef {Record<'live' | 'ready' | 'startup', Verdict>} Verdicts
 *
 * @typedef {Pick<Worker, 'slot' | 'status' | 'isReady' | 'reason' | 'blockedSince' | 'stack' | 'health'>} ProbedWorker
 * @typedef {Pick<App, 'name' | 'status' | 'note' | 'readyMin' | 'hasBeenReady' | 'isOnDemand'> &
 *   {workers: ProbedWorker[]}} ProbedApp
 */

/** Workers that need not be ready: the user stopped them, they have done what they had to, or others serve. */
const DONE = ['stopped', 'exited', 'spare'];
/** Workers whose event loop should turn. */
const RUNNING = ['online', 'blocked'];
/** Of workers that are not ready; more would only repeat each other. */
const MAX_REASONS = 3;
/** ms for which the last answer of a daemon counts: the next one is there after a second or two. */
const DAEMON_GRACE_MS = 10_000;

/** @type {Verdict} */
const YES = { ok: true, reasons: [] };

/**
 * live: a restart would not help; ready: it may get traffic; startup: it has been ready.
 * @param {ProbedApp[]} all
 * @param {{isShuttingDown?: boolean, now: number}} state now: epoch ms
 * @returns {Verdicts}
 */
export function judgeProbes(all, { isShuttingDown = false, now }) {
  // What runs on demand serves nobody, and whether it runs just now says nothing.
  const apps = all.filter(({ isOnDemand }) => !isOnDemand);
  const hasOnDemand = all.some(({ isOnDemand, status }) => isOnDemand && status !== 'stopped');
  const needed = apps.filter(({ workers }) => workersNeeded(workers).length > 0);
  // Jobs alone are ready, also beside a task that is done, but somebody stopped what serves.
  const hasStopped = apps.some(({ workers }) => workers.some(({ status }) => status === 'stopped'));
  const isIdle = needed.length === 0 && (hasStopped || !hasOnDemand);
  const idle = isIdle ? no(null, 'no app runs') : YES;
  const ready = join([idle, ...needed.map((app) => judgeReady(app, now))]);
  return {
    // What stops has a deadline of its own.
    live: isShuttingDown ? YES : join(needed.map((app) => judgeLive(app, now))),
    ready: isShuttingDown ? no(null, 'it is shutting down') : ready,
    startup: join([
      isShuttingDown ? YES : idle,
      ...needed.filter((app) => !app.hasBeenReady).map((app) => judgeReady(app, now)),
    ]),
  };
}

/** @param {ProbedApp} app @param {number} now epoch ms @returns {Verdict} */
export function judgeReady(app, now) {
  const { name, readyMin, workers } = app;
  if (isSilent(app)) return no(name, app.note);
  const needed = workersNeeded(workers);
  const share = parseInt(String(readyMin), 10) / 100;
  const least = typeof readyMin === 'number' ? readyMin : Math.ceil(needed.length * share);
  const minimum = Math.min(needed.length, least);
  const others = needed.filter(({ isReady }) => !isReady);
  const ready = needed.length - others.length;
  if (ready >= minimum) return YES;
  const why = describeWorkers(others, now);
  const count = `${ready} of ${needed.length} worker${needed.length === 1 ? '' : 's'} ready`;
  return no(name, `${count}, ${minimum} needed (${why})`);
}

/**
 * For an endpoint outside the daemon: the apps serve without it, and one of them starts the next one.
 * @param {{isNeeded: boolean, isServing: boolean, last: {verdicts: Verdicts, ageMs: number} | null, reason: string}} known
 *   isNeeded: an app should run; isServing: the primary of one runs; last: what a daemon said; reason: why it says nothing now
 */
export function judgeWithoutDaemon({ isNeeded, isServing, last, reason }) {
  if (isServing && last !== null && last.ageMs < DAEMON_GRACE_MS) return last.verdicts;
  const unknown = no(null, reason);
  const isDead = isNeeded && !isServing;
  return { live: isDead ? unknown : YES, ready: unknown, startup: unknown };
}

/** @param {ProbedApp} app @param {number} now @returns {Verdict} */
function judgeLive(app, now) {
  const { name, workers } = app;
  if (isSilent(app)) return no(name, app.note);
  const running = workers.filter(({ status }) => RUNNING.includes(status));
  const isRepaired = workers.some(({ status }) => status === 'starting');
  if (running.length === 0 || isRepaired) return YES;
  if (running.some(({ status }) => status === 'online')) return YES;
  return no(name, `no worker answers (${describeWorkers(running, now)})`);
}

/** Whether its primary does not answer. While one is launched, nothing is known against it. @param {ProbedApp} app */
function isSilent({ status, note }) {
  return status === 'unknown' && note !== undefined;
}

/** @param {ProbedWorker[]} workers */
function workersNeeded(workers) {
  return workers.filter(({ status }) => !DONE.includes(status));
}

/** @param {ProbedWorker[]} workers @param {number} now */
function describeWorkers(workers, now) {
  const described = workers.slice(0, MAX_REASONS).map((worker) => {
    const { slot, status, health } = worker;
    const isChecked = status === 'online' && health !== undefined;
    const checks = isChecked && `${health.status}, ${health.reason ?? 'not checked yet'}`;
    return `worker ${slot}: ${checks || (workerReason(worker, now) ?? status)}`;
  });
  return described.join(', ');
}

/** @param {string | null} app @param {string} [reason] @returns {Verdict} */
function no(app, reason = 'unknown') {
  return { ok: false, reasons: [{ app, reason }] };
}

/** @param {Verdict[]} verdicts @returns {Verdict} */
function join(verdicts) {
  return {
    ok: verdicts.every(({ ok }) => ok),
    reasons: verdicts.flatMap(({ reasons }) => reasons),
  };
}
