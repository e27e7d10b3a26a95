/** Runs of a job: its program runs only when its schedule, or `run-now`, says so. */
import { NodeclusterError } from '../../errors/error.js';
import { isExpectedExit } from '../../lifecycle/exits.js';
import { poll } from '../../shared/deadline.js';
import { progressTo, runInTurn } from '../../daemon/control/run-command.js';
import { resolveTargets } from '../../daemon/control/targets.js';
import { startSlots } from '../../daemon/actions/start.js';

/**
 * @import { AppOutcome, PastExit } from '../../protocol/shapes.js'
 * @import { App } from '../../daemon/apps/app.js'
 * @import { Handler } from '../../daemon/control/methods.js'
 * @import { Action, Publish, ReportProgress, SendProgress } from '../../daemon/control/run-command.js'
 * @import { Daemon } from '../../daemon/daemon.js'
 */

/** In the queue of an app. */
const RUN = 'run';
const POLL_MS = 50;
/** For the last lines of a run that has failed. */
const LINES_MS = 500;
const STOPPED = { reason: 'was stopped before it had ended', code: null, lastLines: [] };

/** @param {App} app @returns {boolean} whether a run has not ended, or is about to begin */
export function isRunning(app) {
  return app.queue.current === RUN || pidOf(app) !== null;
}

/** @type {Handler<'run-now'>} */
export async function runNow(daemon, { selectors, untilEnd = true }, ctx) {
  const apps = resolveTargets(daemon, selectors).map(({ app }) => app);
  for (const app of apps) refuseRun(app);
  const report = progressTo(ctx);
  const runs = apps.map(async (app) => {
    const before = lastExitOf(app);
    const begun = await beginRun(daemon, app, { reason: 'run-now', report });
    if (untilEnd) return untilEnded(app, begun, before);
    return begun.ok ? { ...begun, accepted: /** @type {const} */ (true) } : begun;
  });
  return { apps: await Promise.all(runs) };
}

/** @param {App} app @throws {NodeclusterError} E_NOT_A_JOB, E_JOB_STOPPED, E_JOB_RUNS */
function refuseRun(app) {
  const { name, stopped, spec } = app;
  if (spec.schedule === null) throw new NodeclusterError('E_NOT_A_JOB', { app: name });
  if (stopped) throw new NodeclusterError('E_JOB_STOPPED', { app: name });
  if (spec.overlap === 'replace' || !isRunning(app)) return;
  throw new NodeclusterError('E_JOB_RUNS', { app: name });
}

/**
 * @param {Daemon} daemon
 * @param {App} app
 * @param {{reason: string, isDue?: () => boolean, report?: SendProgress}} how as runInTurn has it
 * @returns {Promise<AppOutcome>} when it has stayed up for `min_uptime`, or has ended
 */
export function beginRun(daemon, app, how) {
  const run = (/** @type {ReportProgress} */ progress) => runJob(daemon, app, {}, progress);
  const publish = publisherOf(daemon, app);
  return runInTurn(daemon, app, { action: RUN, run, publish, ...how });
}

/**
 * How a run ends, its primary reports; it goes on after the command.
 * @param {Daemon} daemon
 * @param {App} app
 * @returns {Publish}
 */
function publisherOf({ events }, app) {
  return (stage, details) => {
    if (stage === 'begun') return events.publish(app, { type: 'job.started', ...details });
    const [first] = details.failed ?? [];
    if (first?.slot !== null) return;
    const { reason } = first;
    const ended = { ok: false, code: null, signal: null, reason, durationMs: 0 };
    events.publish(app, { type: 'job.ended', ...ended });
  };
}

/**
 * A run that has not ended is stopped first. Every run has the current settings, and resolves symbolic
 * links again.
 * @type {Action<{}>}
 */
async function runJob(daemon, app, _order, report) {
  if (app.stopped) throw new NodeclusterError('E_JOB_STOPPED', { app: app.name });
  await startSlots(daemon, app, app.slots, report);
  const { spec, generation, slots } = app;
  return app.request('restart', { spec, generation, slots }, { report });
}

/**
 * @param {App} app
 * @param {AppOutcome} begun
 * @param {PastExit | null} before the last exit before it began
 * @returns {Promise<AppOutcome>} when the run has ended
 */
async function untilEnded(app, begun, before) {
  const pid = pidOf(app);
  if (!begun.ok || pid === null) return begun;
  await poll(() => pidOf(app) !== pid, { timeoutMs: Infinity, everyMs: POLL_MS });
  const last = lastExitOf(app);
  // A run that was stopped, or lost with its primary, is not among the exits.
  if (last === null || last.at === before?.at) return failedRun(app, begun, STOPPED);
  const ended = { ...begun, durationMs: last.uptimeMs };
  if (isExpectedExit(app.spec, last)) return ended;
  const lines = () => lastExitOf(app)?.lastLines.length;
  await poll(lines, { timeoutMs: LINES_MS, everyMs: POLL_MS });
  return failedRun(app, ended, lastExitOf(app) ?? last);
}

/**
 * @param {App} app
 * @param {AppOutcome} outcome
 * @param {Pick<PastExit, 'reason' | 'code' | 'lastLines'>} exit
 * @returns {AppOutcome}
 */
function failedRun({ ids, slots: [slot] }, outcome, { reason, code, lastLines }) {
  const failure = { id: ids[slot] ?? null, slot, reason, code, lastLines };
  return { ...outcome, ok: false, done: [], failed: [failure] };
}

/** @param {App} app @returns {number | null} of the run in progress */
function pidOf({ link }) {
  return link.state === 'none' ? null : (link.snapshot?.slots[0]?.pid ?? null);
}

/** @param {App} app */
function lastExitOf({ link }) {
  return link.snapshot?.slots[0]?.lastExit ?? null;
}
