/** What the daemon is told about the app after every change: plain data, small. */

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./slot.js').Slot} Slot
 * @typedef {import('./worker-handle.js').WorkerHandle} WorkerHandle
 */

/** @param {App} app */
export function snapshotOf(app) {
  const { pool, launch, busy, lastReload } = app;
  const slots = [...pool.slots.values()].sort((one, other) => one.number - other.number);
  const shown = new Set();
  const rows = slots.map((slot) => {
    const worker = mainWorkerOf(slot, pool.workersOf(slot.number));
    shown.add(worker);
    return { ...rowOf(slot, worker), pid: worker?.pid ?? null };
  });
  const { env: _env, shellEnv: _shellEnv, ...spec } = launch.spec;
  return {
    name: app.name,
    generation: launch.generation,
    mode: pool.mode,
    scheduling: launch.spec.scheduling,
    pid: process.pid,
    spec,
    busy,
    lastReload,
    logBytesDropped: pool.logs.out.droppedBytes + pool.logs.error.droppedBytes,
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
  const isWaiting = !worker && slot.wanted && !slot.blocked && slot.retryAtMs > performance.now();
  return {
    slot: slot.number,
    status: worker?.status ?? slot.blocked ?? statusWithout(slot, isWaiting),
    generation: worker?.generation ?? slot.launch.generation,
    restarts: slot.restarts,
    startedAt: worker?.startedAt ?? null,
    retryAt: isWaiting ? Math.round(Date.now() + slot.retryAtMs - performance.now()) : null,
    reason: worker?.status === 'online' ? null : slot.reason,
    lastExit: slot.lastExit,
    listening: [...(worker?.listening ?? [])],
  };
}

/**
 * @param {Slot} slot
 * @param {boolean} isWaiting
 */
function statusWithout(slot, isWaiting) {
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
