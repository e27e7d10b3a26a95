/**
 * What the probes of an orchestrator hear. A failed liveness probe kills everything in the container, so
 * it fails only for what nothing here repairs and a new process would: an app none of whose workers
 * answers. Crashes are restarted with a growing delay already, and another container would crash too.
 */

/** @import { ProbeVerdict as Verdict, ProbeVerdicts as Verdicts, Status } from '../protocol/shapes.js' */

/**
 * @typedef {object} ProbedWorker
 * @property {number} slot
 * @property {Status} status
 * @property {boolean} isReady
 * @property {string | null} reason why it is not online
 * @property {{status: string, reason: string | null} | null} [health] null: it is not checked
 *
 * @typedef {object} ProbedApp
 * @property {string} name
 * @property {string | null} silence what is known of a primary that does not answer; null: it does, or
 *   there is none
 * @property {number | string} readyMin workers that must be ready, or `50%` of them
 * @property {boolean} hasBeenReady
 * @property {ProbedWorker[]} workers
 */

/** Workers that need not be ready: the user stopped them, or they have done what they had to. */
const DONE = ['stopped', 'exited'];
/** Workers whose event loop should turn. */
const RUNNING = ['online', 'unresponsive'];
/** Of workers that are not ready; more would only repeat each other. */
const MAX_REASONS = 3;
/** ms for which the last answer of a daemon counts: the next one is there after a second or two. */
const DAEMON_GRACE_MS = 10_000;

/** @type {Verdict} */
const YES = { ok: true, reasons: [] };

/**
 * @param {ProbedApp[]} apps
 * @param {{isShuttingDown: boolean, hasJobs?: boolean}} state hasJobs: there are also apps that run at their times
 * @returns {Verdicts} live: a restart would not help; ready: it may get traffic; startup: it has been ready
 */
export function judgeProbes(apps, { isShuttingDown, hasJobs = false }) {
  const needed = apps.filter(({ workers }) => workersNeeded(workers).length > 0);
  // Jobs alone are ready, also beside a task that is done, but somebody stopped what serves.
  const hasStopped = apps.some(({ workers }) => workers.some(({ status }) => status === 'stopped'));
  const isIdle = needed.length === 0 && (hasStopped || !hasJobs);
  const idle = isIdle ? no(null, 'no app runs') : YES;
  const ready = join([idle, ...needed.map(judgeReady)]);
  return {
    // What stops has a deadline of its own.
    live: isShuttingDown ? YES : join(needed.map(judgeLive)),
    ready: isShuttingDown ? no(null, 'it is shutting down') : ready,
    startup: join([
      isShuttingDown ? YES : idle,
      ...needed.filter((app) => !app.hasBeenReady).map(judgeReady),
    ]),
  };
}

/**
 * @param {ProbedApp} app
 * @returns {Verdict}
 */
export function judgeReady({ name, silence, readyMin, workers }) {
  if (silence !== null) return no(name, silence);
  const needed = workersNeeded(workers);
  const minimum = Math.min(needed.length, countOf(readyMin, needed.length));
  const others = needed.filter(({ isReady }) => !isReady);
  const ready = needed.length - others.length;
  if (ready >= minimum) return YES;
  const why = others.slice(0, MAX_REASONS).map(describeWorker).join(', ');
  const count = `${ready} of ${needed.length} worker${needed.length === 1 ? '' : 's'} ready`;
  return no(name, `${count}, ${minimum} needed (${why})`);
}

/**
 * For an endpoint outside the daemon: the apps serve without it, and one of them starts the next one.
 * @param {object} known
 * @param {boolean} known.isNeeded an app should run
 * @param {boolean} known.isServing the primary of one runs
 * @param {{verdicts: Verdicts, ageMs: number} | null} known.last what a daemon said last
 * @param {string} known.reason why it says nothing now
 * @returns {Verdicts}
 */
export function judgeWithoutDaemon({ isNeeded, isServing, last, reason }) {
  if (isServing && last !== null && last.ageMs < DAEMON_GRACE_MS) return last.verdicts;
  const unknown = no(null, reason);
  const isDead = isNeeded && !isServing;
  return { live: isDead ? unknown : YES, ready: unknown, startup: unknown };
}

/** @param {ProbedApp} app @returns {Verdict} */
function judgeLive({ name, silence, workers }) {
  if (silence !== null) return no(name, silence);
  const running = workers.filter(({ status }) => RUNNING.includes(status));
  const isRepaired = workers.some(({ status }) => status === 'starting');
  if (running.length === 0 || isRepaired) return YES;
  if (running.some(({ status }) => status === 'online')) return YES;
  return no(
    name,
    `no worker answers (${running.slice(0, MAX_REASONS).map(describeWorker).join(', ')})`,
  );
}

/** @param {ProbedWorker[]} workers */
function workersNeeded(workers) {
  return workers.filter(({ status }) => !DONE.includes(status));
}

/** @param {number | string} readyMin @param {number} total */
function countOf(readyMin, total) {
  return typeof readyMin === 'number'
    ? readyMin
    : Math.ceil((total * parseInt(readyMin, 10)) / 100);
}

/** @param {ProbedWorker} worker */
function describeWorker({ slot, status, reason, health = null }) {
  const isChecked = status === 'online' && health !== null;
  const why = isChecked ? `${health.status}, ${health.reason ?? 'not checked yet'}` : reason;
  return `worker ${slot}: ${why ?? status}`;
}

/** @param {string | null} app @param {string} reason @returns {Verdict} */
function no(app, reason) {
  return { ok: false, reasons: [{ app, reason }] };
}

/** @param {Verdict[]} verdicts @returns {Verdict} */
function join(verdicts) {
  return {
    ok: verdicts.every(({ ok }) => ok),
    reasons: verdicts.flatMap(({ reasons }) => reasons),
  };
}
