/**
 * What to do next so that the workers become what is wanted. Level-triggered, after puma's
 * phases: it is asked after every event and deadline, looks only at what is, and is right
 * whatever happened in between. So a crash in the middle of a reload needs no code of its own.
 *
 * What it holds: a slot's worker of the old generation goes only when one of the new generation
 * is online in its place; never more than `maxSurge` workers beyond the wanted number (cluster);
 * never more than `maxSurge` slots down at a time (fork, where two cannot share a port).
 */

/**
 * @typedef {object} SlotView
 * @property {number} slot
 * @property {boolean} wanted
 * @property {boolean} blocked errored or exited: not to be started by itself
 * @property {number} retryAtMs not to be started before this monotonic time
 * @property {number} target the generation that it should run
 *
 * @typedef {object} WorkerView
 * @property {number} key
 * @property {number} slot
 * @property {number} generation
 * @property {'starting' | 'online' | 'draining' | 'stopping'} status
 *
 * @typedef {object} View
 * @property {'cluster' | 'fork'} mode
 * @property {number} maxSurge
 * @property {number} nowMs
 * @property {readonly SlotView[]} slots
 * @property {readonly WorkerView[]} workers
 *
 * @typedef {{do: 'start', slot: number, replaces: boolean}
 *   | {do: 'retire', key: number}
 *   | {do: 'wake', atMs: number}} Step
 */

/**
 * @param {View} view
 * @returns {Step[]} what to do now; `wake` asks to be asked again at that time
 */
export function nextSteps(view) {
  const budget = { surge: view.maxSurge - surplus(view), down: view.maxSurge - countDown(view) };
  return view.slots.flatMap((slot) => stepsOfSlot(slot, view, budget));
}

/**
 * @param {SlotView} slot
 * @param {View} view
 * @param {{surge: number, down: number}} budget what is left of it; reduced here
 * @returns {Step[]}
 */
function stepsOfSlot(slot, view, budget) {
  const all = view.workers.filter((worker) => worker.slot === slot.slot);
  const live = all.filter(isLive);
  if (!slot.wanted) return live.map(retire);

  const current = live.filter((worker) => worker.generation === slot.target);
  const old = live.filter((worker) => worker.generation !== slot.target);
  if (current.some((worker) => worker.status === 'online')) return old.map(retire);
  if (current.length > 0 || slot.blocked) return [];
  if (slot.retryAtMs > view.nowMs) return [{ do: 'wake', atMs: slot.retryAtMs }];
  if (old.length > 0) return replace(slot, old, view.mode, budget);
  // In fork mode the one that is going may still hold the port.
  if (view.mode === 'fork' && all.length > 0) return [];
  return [{ do: 'start', slot: slot.slot, replaces: false }];
}

/**
 * @param {SlotView} slot
 * @param {WorkerView[]} old
 * @param {'cluster' | 'fork'} mode
 * @param {{surge: number, down: number}} budget
 * @returns {Step[]}
 */
function replace(slot, old, mode, budget) {
  if (mode === 'cluster') {
    if (budget.surge <= 0) return [];
    budget.surge -= 1;
    return [{ do: 'start', slot: slot.slot, replaces: true }];
  }
  const isDown = !old.some((worker) => worker.status === 'online');
  if (!isDown && budget.down <= 0) return [];
  if (!isDown) budget.down -= 1;
  return old.map(retire);
}

/** @param {View} view */
function surplus({ slots, workers }) {
  return workers.length - slots.filter((slot) => slot.wanted).length;
}

/** @param {View} view */
function countDown({ slots, workers }) {
  const isUp = (/** @type {SlotView} */ slot) =>
    workers.some((worker) => worker.slot === slot.slot && worker.status === 'online');
  return slots.filter((slot) => slot.wanted && !slot.blocked && !isUp(slot)).length;
}

/** @param {WorkerView} worker */
function isLive({ status }) {
  return status === 'starting' || status === 'online';
}

/**
 * @param {WorkerView} worker
 * @returns {Step}
 */
function retire({ key }) {
  return { do: 'retire', key };
}
