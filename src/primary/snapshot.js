/** What the daemon is told about the app after every change: plain data, small. */

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./slot.js').Slot} Slot
 * @typedef {import('./worker-handle.js').WorkerHandle} WorkerHandle
 */

/** @param {App} app */
export function snapshotOf(app) {
  const { pool, launch, busy, lastReload, reloads } = app;
  const slots = [...pool.slots.values()].sort((one, other) => one.number - other.number);
  const shown = new Set();
  const rows = slots.map((slot) => {
    const worker = mainWorkerOf(slot, pool.workersOf(slot.number));
    shown.add(worker);
    return rowOf(slot, worker);
  });
  return {
    name: app.name,
    generation: launch.generation,
    mode: pool.mode,
    scheduling: launch.spec.scheduling,
    pid: process.pid,
    node: process.versions.node,
    // The environment may hold secrets and is large; the daemon has it anyway.
    spec: { ...launch.spec, env: undefined, shellEnv: undefined },
    busy,
    lastReload,
    logDroppedBytes: pool.logs.droppedBytes,
    logDropReason: pool.logs.dropReason,
    reloads,
    slots: rows,
    retiring: [...pool.workers.values()]
      .filter((worker) => !shown.has(worker))
      .map(({ slot, pid, status, generation }) => ({ slot, pid, status, generation })),
  };
}

/**
 * @param {Slot} slot
 * @param {WorkerHandle | undefined} worker
 */
function rowOf(slot, worker) {
  const { number, restarts } = slot;
  const [lastExit = null, ...earlierExits] = slot.exits.map(brief);
  const common = { slot: number, restarts, lastExit, earlierExits };
  return worker
    ? { ...common, ...withWorker(slot, worker) }
    : { ...common, ...withoutWorker(slot) };
}

/**
 * A thousand workers' last lines must fit into one message.
 * @param {import('./slot.js').PastExit} exit
 */
function brief(exit) {
  return { ...exit, lastLines: exit.lastLines.slice(-10).map((line) => line.slice(0, 160)) };
}

/**
 * @param {Slot} slot
 * @param {WorkerHandle} worker
 */
function withWorker(slot, worker) {
  const { pid, generation, startedAt } = worker;
  const blockedSince = worker.status === 'online' ? worker.pulse.blockedSince : null;
  const status = blockedSince === null ? worker.status : 'unresponsive';
  const reason = worker.status === 'online' ? null : slot.reason;
  const listening = [...worker.listening];
  return { status, pid, generation, startedAt, retryAt: null, reason, blockedSince, listening };
}

/** @param {Slot} slot */
function withoutWorker(slot) {
  const isWaiting = slot.wanted && !slot.blocked && slot.retryAtMs > performance.now();
  const retryAt = isWaiting ? Math.round(Date.now() + slot.retryAtMs - performance.now()) : null;
  const status = slot.blocked ?? statusOfEmpty(slot, isWaiting);
  const { generation } = slot.launch;
  const { reason } = slot;
  const nobody = { pid: null, startedAt: null, blockedSince: null, listening: [] };
  return { status, generation, retryAt, reason, ...nobody };
}

/**
 * @param {Slot} slot
 * @param {boolean} isWaiting
 */
function statusOfEmpty(slot, isWaiting) {
  if (!slot.wanted) return 'stopped';
  return isWaiting ? 'backoff' : 'starting';
}

/**
 * Of an old worker and its replacement, the one that serves is the one to show.
 * @param {Slot} slot
 * @param {WorkerHandle[]} workers
 */
function mainWorkerOf(slot, workers) {
  const online = workers.filter((worker) => worker.status === 'online');
  const isTarget = (/** @type {WorkerHandle} */ worker) =>
    worker.generation === slot.launch.generation;
  return online.find(isTarget) ?? online[0] ?? workers.find(isTarget) ?? workers[0];
}
