/** The record of an app: its desired state combined with the last report of its primary. */
import { STATUS_ORDER, mayBreak } from '../../lifecycle/app-status.js';
import { judgeReady } from '../../show/probe-policy.js';
import { withoutNulls } from '../../shared/merge-patch.js';
import { epochMs } from '../../shared/monotonic.js';
import { formatSize } from '../../shared/units.js';
import { vitalsNow } from '../queries/telemetry.js';
import { chosenNode } from '../primaries/launch.js';
import { RECOVERY } from './command-queue.js';

/**
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { App as AppRecord, SlotState, Status, Usage, WorkerStatus } from '../../protocol/shapes.js'
 * @import { FeatureFields } from '../../features/record.js'
 * @import { Known } from '../queries/telemetry.js'
 * @import { App } from './app.js'
 */

/** Of workers without a process, or with one that the app does not count. @type {WorkerStatus[]} */
export const WITHOUT_PROCESS = ['stopped', 'exited', 'errored', 'backoff', 'spare'];
/** Commands that a primary carries out. */
const OF_A_PRIMARY = ['start', 'restart', 'reload', 'scale', 'stop'];

/** @typedef {{usages: ReadonlyMap<number, Usage>, telemetry: ReadonlyMap<number, Known>}} Measured by pid */

/** @type {Measured} not asked for */
const NOTHING = { usages: new Map(), telemetry: new Map() };

/** @param {App} app @returns {number[]} of its workers, as far as is known */
export function workerPids(app) {
  if (app.link.state === 'none') return [];
  return (app.link.snapshot?.slots ?? []).flatMap(({ pid, beside }) => [pid ?? [], beside].flat());
}

/** @param {App} app @param {Measured} [measured] @returns {Omit<AppRecord, keyof FeatureFields>} */
export function recordOf(app, measured = NOTHING) {
  const { spec, link } = app;
  const node = chosenNode(spec) ? null : link.snapshot?.node;
  const cause = app.changes.find(mayBreak);
  const changes = app.changes.filter((change, index) => index === 0 || change === cause);
  const workers = slotStates(app).map((state) => recordOfWorker(app, state, measured));
  const statuses = workers.map(({ status }) => status);
  return withoutNulls({
    name: app.name,
    namespace: spec.namespace,
    status: STATUS_ORDER.find((status) => statuses.includes(status)) ?? 'stopped',
    waitsFor: app.awaited,
    mode: spec.execMode,
    script: spec.script,
    instances: app.count,
    scheduling: spec.scheduling,
    generation: app.generation,
    primaryPid: link.pid,
    primaryVersion: link.pid === null ? null : link.record?.version,
    primaryNode: link.pid !== null && node ? `v${node}` : null,
    restarts: workers.reduce((sum, { restarts }) => sum + restarts, 0),
    busy: busyWith(app),
    logDroppedBytes: 0,
    readyMin: spec.readyMin,
    hasBeenReady: app.hasBeenReady,
    isOnDemand: spec.onDemand || null,
    ...(link.snapshot && reportedFields(link.snapshot)),
    changes: changes.length > 0 ? changes : null,
    note: noteOf(app),
    workers,
  });
}

/** Of what runs on demand it says nothing that its last exit does not. @param {App} app @param {SlotState} state */
function whyOf({ spec }, { status, blockedSinceMs, reason, lastExit }) {
  if (spec.onDemand || blockedSinceMs !== null) return {};
  const { cause = null, at: exitedAt = null } = (status !== 'online' && lastExit) || {};
  return { reason, cause, exitedAt: status === 'errored' ? exitedAt : null };
}

/** @param {Snapshot} snapshot of its primary */
function reportedFields(snapshot) {
  const { generation, logDroppedBytes, connectionsGivenUp } = snapshot;
  const { reloads, lastReload, lastReplacement } = snapshot;
  return { generation, logDroppedBytes, connectionsGivenUp, reloads, lastReload, lastReplacement };
}

/** @param {App} app @returns {Status[]} of its workers */
export function statusesOf(app) {
  return slotStates(app).map(({ status }) => statusOf(app, status));
}

/** Of every slot that it should have, in the order of its record. @param {App} app */
export function slotStates(app) {
  const states = new Map((app.link.snapshot?.slots ?? []).map((state) => [state.slot, state]));
  return app.slots.map((slot) => states.get(slot) ?? unreportedSlot(app, slot));
}

/** @param {App} app @param {SlotState} state @param {Measured} measured */
function recordOfWorker(app, state, measured) {
  const { slot, restarts, generation, stack } = state;
  const isThere = app.link.state !== 'none';
  const pid = isThere ? state.pid : null;
  const beside = isThere ? state.beside : [];
  const status = statusOf(app, state.status);
  return {
    id: app.ids[slot],
    slot,
    pid,
    status,
    isReady: !app.isLeaving && status === 'online' && state.isReady,
    beside:
      beside.length > 0
        ? beside.map((each) => ({ pid: each, ...figuresOf(each, measured) }))
        : null,
    ...figuresOf(pid ?? 0, measured),
    startedAt: pid && timeOf(state.startedMs),
    restarts,
    generation,
    blockedSince: timeOf(state.blockedSinceMs),
    stack,
    listening: pid === null ? [] : state.listening,
    retryAt: timeOf(state.retryAtMs),
    ...whyOf(app, state),
  };
}

/** @param {number} pid @param {Measured} measured */
function figuresOf(pid, { usages, telemetry }) {
  const { cpu, memory, ctime: cpuTimeMs } = usages.get(pid) ?? {};
  return { cpu, memory, cpuTimeMs, ...vitalsNow(telemetry.get(pid)) };
}

/** Epoch ms. @param {number | null} atMs on the machine's monotonic clock */
function timeOf(atMs) {
  return atMs === null ? null : epochMs(atMs);
}

/** @param {App} app @param {number} slot that the primary has not reported yet @returns {SlotState} */
function unreportedSlot({ generation }, slot) {
  return {
    slot,
    status: 'starting',
    pid: null,
    beside: [],
    isReady: false,
    generation,
    restarts: 0,
    startedMs: null,
    reason: null,
    retryAtMs: null,
    blockedSinceMs: null,
    stack: null,
    listening: [],
    lastExit: null,
    earlierExits: [],
  };
}

/** Of a job, a run that begins is no command. @param {App} app */
function busyWith({ isDown, isLeaving, link, queue }) {
  if (isDown || queue.current === 'run') return null;
  if (isLeaving) return 'stop';
  // Its primary may report it later.
  const begun = OF_A_PRIMARY.find((name) => name === queue.current);
  return link.snapshot?.busy ?? begun ?? null;
}

/** @param {App} app @param {WorkerStatus} reported by the primary, when there is one @returns {Status} */
function statusOf(app, reported) {
  const { link, stopped, queue } = app;
  if (link.state === 'unknown') return 'unknown';
  if (link.state === 'connected') {
    // Without a process, nothing is wrong with an app on demand.
    const isWaiting = app.spec.onDemand && !stopped && WITHOUT_PROCESS.includes(reported);
    return isWaiting ? 'waiting' : reported;
  }
  if (stopped) return app.isWaiting ? 'waiting' : 'stopped';
  const isRetrying = queue.current === null || queue.current === RECOVERY;
  return link.trouble !== null && isRetrying ? 'errored' : 'starting';
}

/** For the startup probe, which asks whether an app has ever been ready. @param {App} app that has just been made */
export function noteReadiness(app) {
  const note = () => {
    app.hasBeenReady ||= judgeReady(recordOf(app), Date.now()).ok;
  };
  // The first report of a primary arrives before it counts as connected.
  for (const event of ['state', 'connected', 'found']) app.on(event, note);
}

/** A loss is told for so long. */
const LOSS_KNOWN_MS = 5 * 60_000;

/** @param {App} app */
function noteOf({ link, stopped, killed, lostAt }) {
  if (link.state === 'unknown') {
    const isSilent = link.pid !== null && link.trouble !== null;
    return isSilent ? `primary ${link.pid} does not answer: ${link.trouble}` : link.trouble;
  }
  if (killed) return 'stopped by `kill`: `nodecluster resurrect` starts it again';
  if (link.state === 'none') return stopped ? null : link.trouble;
  const losses = link.snapshot ? lossesOf(link.snapshot) : [];
  const at = new Date(performance.timeOrigin + lostAt).toTimeString().slice(0, 8);
  if (performance.now() - lostAt < LOSS_KNOWN_MS)
    losses.unshift(`its primary was killed or crashed at ${at}, and is back: see primary.log`);
  return losses.filter(Boolean).join('; ') || null;
}

/** @param {Snapshot} snapshot */
function lossesOf({ logDroppedBytes, logDropReason, connectionsGivenUp: count }) {
  const what = count === 1 ? '1 connection was' : `${count} connections were`;
  return [
    logDroppedBytes > 0 && `log: ${formatSize(logDroppedBytes)} lost (${logDropReason})`,
    count > 0 &&
      `${what} closed unserved while no worker was left (hold_timeout, or more than 1000 at once)`,
  ];
}
