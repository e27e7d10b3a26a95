/**
 * The next steps from the actual workers to the desired ones. Level-triggered, like puma's phases:
 * it is called after every event and deadline, and considers only the current state, so that a
 * crash in the middle of a reload needs no code of its own.
 *
 * In cluster mode it guarantees that an old worker retires only when a current one is online in
 * its slot, and that at most `maxSurge` workers run beyond the desired number. In fork
 * mode, where two workers cannot share a port, at most `maxSurge` slots are down at a time. Slots
 * are replaced in the order in which they are given.
 */

/**
 * @typedef {object} SlotView
 * @property {number} slot
 * @property {boolean} isDesired
 * @property {boolean} blocked errored or exited: starts only by command
 * @property {number} retryAtMs monotonic time before which it must not start
 *
 * @typedef {object} WorkerView
 * @property {number} key
 * @property {number} slot
 * @property {boolean} isCurrent it runs what its slot must run, and is not to be replaced
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
 * @returns {Step[]} to take now; `wake`: call again at that time
 */
export function nextSteps(view) {
  const budget = {
    surge: view.maxSurge - countSurplus(view),
    down: view.maxSurge - countDown(view),
  };
  return view.slots.flatMap((slot) => stepsOfSlot(slot, view, budget));
}

/**
 * @param {SlotView} slot
 * @param {View} view
 * @param {{surge: number, down: number}} budget reduced by each step
 * @returns {Step[]}
 */
function stepsOfSlot(slot, view, budget) {
  const all = view.workers.filter((worker) => worker.slot === slot.slot);
  const live = all.filter(isLive);
  if (!slot.isDesired) return live.map(retire);

  const current = live.filter(({ isCurrent }) => isCurrent);
  const old = live.filter(({ isCurrent }) => !isCurrent);
  if (current.some((worker) => worker.status === 'online')) return old.map(retire);
  if (current.length > 0 || slot.blocked) return [];
  if (slot.retryAtMs > view.nowMs) return [{ do: 'wake', atMs: slot.retryAtMs }];
  if (old.length > 0) return replace(slot, old, view.mode, budget);
  // In fork mode a stopping worker may still have the port.
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
function countSurplus({ slots, workers }) {
  return workers.length - slots.filter((slot) => slot.isDesired).length;
}

/** @param {View} view */
function countDown({ slots, workers }) {
  const isUp = (/** @type {SlotView} */ slot) =>
    workers.some((worker) => worker.slot === slot.slot && worker.status === 'online');
  return slots.filter((slot) => slot.isDesired && !slot.blocked && !isUp(slot)).length;
}

/** @param {WorkerView} worker */
function isLive({ status }) {
  return status === 'starting' || status === 'online';
}

/** @param {WorkerView} worker @returns {Step} */
function retire({ key }) {
  return { do: 'retire', key };
}
