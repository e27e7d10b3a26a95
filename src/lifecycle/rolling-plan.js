/**
 * The next steps from the actual workers to the desired ones. It is called after every event and deadline, and considers
 * only the current state, so a crash in a reload needs no code of its own.
 *
 * What is unproven is tried in one slot first, beside its old worker; while that proves itself the next wave boots, to be online
 * once it has. Then the others follow in waves. An old worker retires only when a current one is online in its slot, and at most
 * two waves of workers exist beyond the desired number: one boots while the other drains. Of slots that empty first, which never
 * have two workers, at most one wave is down.
 */

/**
 * @typedef {object} SlotView
 * @property {number} slot
 * @property {boolean} isDesired
 * @property {boolean} emptiesFirst its old worker must have exited before another one starts
 * @property {boolean} blocked errored or exited: starts only by command
 * @property {boolean} isUnproven a reload gives it something to run of which no worker has stayed up yet
 * @property {number} trials above 0: it is tried in so many slots at first, and judged while it serves
 * @property {number} retryAtMs monotonic time before which it must not start
 * @property {readonly WorkerView[]} workers
 *
 * @typedef {object} WorkerView
 * @property {number} key
 * @property {boolean} isCurrent it runs what its slot must run, and is not to be replaced
 * @property {'starting' | 'online' | 'draining' | 'stopping'} status
 * @property {boolean} [isBooting] its program is still being loaded
 * @property {boolean} [isProving] it need only stay up to be online, gets no connections, and proves all that run the same
 *
 * @typedef {object} View
 * @property {number} maxSurge size of a wave; 0: a quarter of the workers
 * @property {number} maxBooting how many may boot at a time: more would only take the CPU from each other
 * @property {number} nowMs
 * @property {readonly SlotView[]} slots
 *
 * @typedef {{do: 'start', slot: number, replaces: boolean, mustStayUp: boolean}
 *   | {do: 'retire', key: number}} Step `mustStayUp`: for `min_uptime`, before it is online
 *
 * @typedef {{unproven: number, isProving: boolean, surplus: number, down: number, booting: number}} Budget reduced by each step
 */

/** The steps to take now. Call it again at each `retryAtMs`. @param {View} view @returns {Step[]} */
export function nextSteps(view) {
  const { slots, maxSurge, maxBooting } = view;
  const maxUnproven = Math.max(1, ...slots.map(({ trials }) => trials));
  const workers = slots.flatMap((slot) => slot.workers);
  const wave = waveSize(maxSurge, slots.filter(({ isDesired }) => isDesired).length);
  const size = Math.max(wave, maxUnproven);
  const isUp = (/** @type {SlotView} */ slot) =>
    slot.workers.some(({ status }) => status === 'online');
  const down = slots.filter((slot) => slot.isDesired && !slot.blocked && !isUp(slot));
  const isProving = workers.some((worker) => worker.isCurrent && worker.isProving);
  const budget = {
    unproven: maxUnproven - slots.filter(triesUnproven).length,
    isProving,
    surplus: Math.min(
      size + (isProving ? 1 : 0) - countSurplus(slots, isLive),
      2 * size - countSurplus(slots, () => true),
    ),
    down: size - down.length,
    booting: maxBooting - workers.filter(({ isBooting }) => isBooting).length,
  };
  return slots.flatMap((slot) => stepsOfSlot(slot, view, budget));
}

/** How many are replaced at a time. @param {number} maxSurge 0: a quarter @param {number} workers desired */
export function waveSize(maxSurge, workers) {
  return maxSurge > 0 ? maxSurge : Math.max(1, Math.floor(workers / 4));
}

/** @param {SlotView} slot @param {View} view @param {Budget} budget @returns {Step[]} */
function stepsOfSlot(slot, view, budget) {
  const live = slot.workers.filter(isLive);
  if (!slot.isDesired) return live.map(retire);

  const current = live.filter(({ isCurrent }) => isCurrent);
  const old = live.filter(({ isCurrent }) => !isCurrent);
  const isReplaced = current.some((worker) => worker.status === 'online');
  if (isReplaced) return slot.trials > 0 ? [] : old.map(retire);
  if (current.length > 0) return [];
  // A reload that has failed started them, and nothing ran there before.
  if (slot.blocked) return old.map(retire);
  if (slot.retryAtMs > view.nowMs) return [];
  if (old.length > 0) return replace(slot, old, budget);
  // A stopping worker may still have the port, or do what only one may do.
  if (slot.emptiesFirst && slot.workers.length > 0) return [];
  if (budget.booting <= 0) return [];
  budget.booting -= 1;
  return [start(slot, false)];
}

/** @param {SlotView} slot @param {WorkerView[]} old @param {Budget} budget @returns {Step[]} */
function replace(slot, old, budget) {
  const { emptiesFirst } = slot;
  const isDown = !old.some((worker) => worker.status === 'online');
  if (emptiesFirst && isDown) return old.map(retire);
  const kind = emptiesFirst ? 'down' : 'surplus';
  const isFull = budget[kind] <= 0 || budget.booting <= 0;
  const mayTry = budget.unproven > 0 || (budget.isProving && !emptiesFirst);
  if (isFull || (slot.isUnproven && !mayTry)) return [];
  budget[kind] -= 1;
  budget.booting -= 1;
  if (slot.isUnproven) budget.unproven -= 1;
  return emptiesFirst ? old.map(retire) : [start(slot, true)];
}

/** A slot without a worker starts what it must run at once, so it counts too. @param {SlotView} slot */
function triesUnproven({ workers, isUnproven, isDesired, blocked }) {
  const live = workers.filter(isLive);
  const isTried = live.length === 0 || live.some(({ isCurrent }) => isCurrent);
  return isUnproven && isDesired && !blocked && isTried;
}

/** @param {readonly SlotView[]} slots @param {(worker: WorkerView) => boolean} counts */
function countSurplus(slots, counts) {
  const surplus = slots.map(({ workers, isDesired }) =>
    Math.max(0, workers.filter(counts).length - (isDesired ? 1 : 0)),
  );
  return surplus.reduce((sum, count) => sum + count, 0);
}

/** @param {WorkerView} worker */
function isLive({ status }) {
  return status === 'starting' || status === 'online';
}

/** @param {SlotView} slot @param {boolean} replaces @returns {Step} */
function start({ slot, isUnproven }, replaces) {
  return { do: 'start', slot, replaces, mustStayUp: isUnproven };
}

/** @param {WorkerView} worker @returns {Step} */
function retire({ key }) {
  return { do: 'retire', key };
}
