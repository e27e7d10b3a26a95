/** How an app is shown: its desired state combined with the last report of its primary. */
import { describeHang } from '../../lifecycle/hang-policy.js';
import { STATUS_ORDER } from '../../lifecycle/app-status.js';
import { formatSize } from '../../shared/units.js';
import { vitalsNow } from '../queries/telemetry.js';
import { chosenNode } from '../primaries/launch.js';
import { RECOVERY } from './command-queue.js';

/**
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { AppView, SlotState, Status, Usage, WorkerStatus, WorkerView } from '../../protocol/shapes.js'
 * @import { FeatureView } from '../features.js'
 * @import { Known } from '../queries/telemetry.js'
 * @import { App } from './app.js'
 */

/** @type {WorkerStatus[]} */
const WITHOUT_PROCESS = ['stopped', 'exited', 'errored', 'backoff'];

/**
 * @typedef {object} Measured of all workers, by pid
 * @property {ReadonlyMap<number, Usage>} usages
 * @property {ReadonlyMap<number, Known> | null} telemetry null: not requested
 */

/**
 * @param {App} app
 * @returns {number[]} of its workers
 */
export function workerPids(app) {
  if (app.link.state === 'none') return [];
  return (app.link.snapshot?.slots ?? []).flatMap(({ pid }) => (pid === null ? [] : [pid]));
}

/**
 * @param {App} app
 * @param {Measured} measured
 * @param {number} nowMs on the machine's monotonic clock
 * @returns {Omit<AppView, 'user' | keyof FeatureView>}
 */
export function viewApp(app, measured, nowMs) {
  const { spec, link } = app;
  const states = new Map((link.snapshot?.slots ?? []).map((state) => [state.slot, state]));
  const workers = app.slots.map((slot) =>
    viewWorker(app, states.get(slot) ?? unreportedSlot(app, slot), measured, nowMs),
  );
  const statuses = workers.map(({ status }) => status);
  return {
    name: app.name,
    namespace: spec.namespace,
    status: STATUS_ORDER.find((status) => statuses.includes(status)) ?? 'stopped',
    mode: spec.execMode,
    script: spec.script,
    instances: app.slots.length,
    scheduling: link.snapshot?.scheduling ?? spec.scheduling,
    generation: link.snapshot?.generation ?? app.generation,
    primaryPid: link.pid,
    primaryVersion: versionOf(app),
    primaryNode: nodeOf(app),
    restarts: workers.reduce((sum, { restarts }) => sum + restarts, 0),
    busy: busyWith(app),
    logDroppedBytes: link.snapshot?.logDroppedBytes ?? 0,
    note: noteOf(app),
    workers,
  };
}

/**
 * @param {App} app
 * @returns {Status[]} of its workers
 */
export function statusesOf(app) {
  const states = new Map((app.link.snapshot?.slots ?? []).map((state) => [state.slot, state]));
  return app.slots.map((slot) => statusOf(app, states.get(slot)?.status ?? 'starting'));
}

/**
 * @param {App} app
 * @param {SlotState} state
 * @param {Measured} measured
 * @param {number} nowMs
 * @returns {WorkerView}
 */
function viewWorker(app, state, { usages, telemetry }, nowMs) {
  const { slot, startedMs, retryAtMs, restarts, generation, listening } = state;
  const pid = app.link.state === 'none' ? null : state.pid;
  const { cpu = null, memory = null } = usages.get(pid ?? 0) ?? {};
  const status = statusOf(app, state.status);
  return {
    id: app.ids[slot],
    slot,
    pid,
    status,
    isReady: isReady(app, status, state),
    health: viewHealth(state, nowMs),
    cpu,
    memory,
    ...(telemetry && vitalsNow(telemetry.get(pid ?? 0))),
    uptimeMs: msBetween(pid && startedMs, nowMs),
    restarts,
    generation,
    // Of what runs on demand it says nothing that its last exit does not.
    ...viewBlock(app.spec.onDemand ? { ...state, reason: null } : state, nowMs),
    listening: pid === null ? [] : listening,
    retryInMs: msBetween(nowMs, retryAtMs),
  };
}

/**
 * @param {SlotState} state
 * @param {number} nowMs
 * @returns {Pick<WorkerView, 'blockedMs' | 'stack' | 'reason'>}
 */
function viewBlock({ blockedSinceMs, stack, reason }, nowMs) {
  const blockedMs = msBetween(blockedSinceMs, nowMs);
  if (blockedMs === null) return { blockedMs, stack, reason };
  const { frames = [], note = null } = stack ?? {};
  const more = frames.length === 0 && note !== null ? `; it ${note}` : '';
  return { blockedMs, stack, reason: describeHang(blockedMs, frames) + more };
}

/** @param {SlotState} state @param {number} nowMs @returns {WorkerView['health']} */
function viewHealth({ health }, nowMs) {
  if (health === null) return null;
  const { status, failures, reason, failingSinceMs } = health;
  return { status, failures, reason, failingMs: msBetween(failingSinceMs, nowMs) };
}

/** @param {App} app @param {Status} status @param {SlotState} state */
function isReady({ isLeaving }, status, { isReady: isReported }) {
  return !isLeaving && status === 'online' && isReported;
}

/** Of a job, a run that begins is no command. @param {App} app */
function busyWith({ isDown, isLeaving, link, queue }) {
  if (isDown || queue.current === 'run') return null;
  return isLeaving ? 'stop' : (link.snapshot?.busy ?? null);
}

/** @param {number | null} fromMs @param {number | null} toMs */
function msBetween(fromMs, toMs) {
  return fromMs === null || toMs === null ? null : Math.max(0, toMs - fromMs);
}

/**
 * @param {App} app
 * @param {number} slot that the primary has not reported yet
 * @returns {SlotState}
 */
function unreportedSlot({ generation }, slot) {
  return {
    slot,
    status: 'starting',
    pid: null,
    isReady: false,
    health: null,
    generation,
    restarts: 0,
    startedMs: null,
    reason: null,
    retryAtMs: null,
    blockedSinceMs: null,
    stack: null,
    listening: [],
    proxy: null,
    lastExit: null,
    earlierExits: [],
  };
}

/**
 * @param {App} app
 * @param {WorkerStatus} reported by the primary, when there is one
 * @returns {Status}
 */
function statusOf(app, reported) {
  const { link, stopped, queue } = app;
  if (link.state === 'unknown') return 'unknown';
  if (link.state === 'connected') return isWaiting(app, reported) ? 'waiting' : reported;
  if (stopped) return 'stopped';
  const isRetrying = queue.current === null || queue.current === RECOVERY;
  return link.trouble !== null && isRetrying ? 'errored' : 'starting';
}

/**
 * @param {App} app
 * @param {WorkerStatus} reported
 * @returns {boolean} whether it has no process, and nothing is wrong with that
 */
function isWaiting({ spec, stopped }, reported) {
  return spec.onDemand && !stopped && WITHOUT_PROCESS.includes(reported);
}

/** @param {App} app */
function versionOf({ link: { pid, record } }) {
  return pid === null ? null : (record?.version ?? null);
}

/** @param {App} app */
function nodeOf({ link: { pid, snapshot }, spec }) {
  return pid === null || chosenNode(spec) || !snapshot?.node ? null : `v${snapshot.node}`;
}

/** @param {App} app */
function noteOf({ link, stopped }) {
  if (link.state === 'unknown') {
    return link.pid === null
      ? link.trouble
      : `primary ${link.pid} does not answer: ${link.trouble}`;
  }
  if (link.state === 'none') return stopped ? null : link.trouble;
  const notes = link.snapshot
    ? [link.snapshot.schedulingNote, lostLog(link.snapshot), lostConnections(link.snapshot)]
    : [];
  return notes.filter(Boolean).join('; ') || null;
}

/** @param {Snapshot} snapshot */
function lostLog({ logDroppedBytes, logDropReason }) {
  return logDroppedBytes > 0 ? `log: ${formatSize(logDroppedBytes)} lost (${logDropReason})` : null;
}

/** @param {Snapshot} snapshot */
function lostConnections({ connectionsGivenUp: count }) {
  if (count === 0) return null;
  const what = count === 1 ? '1 connection was' : `${count} connections were`;
  return `${what} closed unserved while no worker was left (hold_timeout, or more than 1000 at once)`;
}
