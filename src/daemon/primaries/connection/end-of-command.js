/** How a command ended whose reply was lost: judged by what its primary reported before and afterwards. */

/**
 * @import { Snapshot } from '../../../protocol/methods.js'
 * @import { EndedReload, Outcome, SlotState } from '../../../protocol/shapes.js'
 *
 * @typedef {Pick<SlotState, 'slot' | 'status' | 'pid'>} Slot
 * @typedef {Pick<Snapshot, 'generation' | 'lastReload'> & {slots: Slot[]}} State
 * @typedef {Pick<Outcome, 'ok' | 'done'> & Partial<Outcome>} Ended
 *
 * @typedef {object} Command
 * @property {number[]} asked slots
 * @property {number} [generation]
 * @property {State | null} before
 * @property {State} after the primary is idle
 */

/**
 * How a command ended, by its method; null: the app is not as it should have made it, and it is not known why.
 * @type {Record<string, (command: Command) => Ended | null>}
 */
const ENDS = {
  reload({ asked, generation, before, after: { lastReload } }) {
    const isOther = lastReload?.at === before?.lastReload?.at;
    if (isOther || lastReload?.generation !== generation) return null;
    return lastReload && endOfReload(lastReload, asked);
  },
  start: ({ asked, after }) => allOf(asked, (slot) => hasStarted(slotOf(after, slot))),
  stop: ({ asked, after }) => allOf(asked, (slot) => slotOf(after, slot)?.status === 'stopped'),
  restart: ({ asked, before, after }) =>
    allOf(asked, (slot) => {
      const worker = slotOf(after, slot);
      return worker?.status === 'online' && worker.pid !== slotOf(before, slot)?.pid;
    }),
  scale({ asked, before, after }) {
    const isWhole =
      after.slots.length === asked.length && asked.every((slot) => slotOf(after, slot));
    const added = asked.filter((slot) => !slotOf(before, slot));
    return isWhole ? allOf(added, (slot) => hasStarted(slotOf(after, slot))) : null;
  },
};

/** @param {string} method @returns {boolean} whether a state can show how it ended */
export function isJudged(method) {
  return Object.hasOwn(ENDS, method);
}

/**
 * @param {string} method
 * @param {{slots?: number[], generation?: number}} params
 * @param {State | null} before
 * @param {State} after the primary is idle
 * @returns {Ended | null} null: not known
 */
export function endOf(method, { slots, generation }, before, after) {
  const asked = slots ?? after.slots.map(({ slot }) => slot);
  return ENDS[method]?.({ asked, generation, before, after }) ?? null;
}

/** @param {EndedReload} reload @param {number[]} asked @returns {Ended} */
function endOfReload({ ok, reason, done, kept, rolledBack, durationMs }, asked) {
  const others = [...done, ...kept, ...rolledBack];
  const slot = asked.find((number) => !others.includes(number)) ?? null;
  const failed = ok ? [] : [{ slot, reason: reason ?? 'failed', lastLines: [] }];
  return { ok, done, failed, kept, rolledBack, durationMs };
}

/** @param {number[]} slots @param {(slot: number) => boolean} isDone @returns {Ended | null} */
function allOf(slots, isDone) {
  return slots.every(isDone) ? { ok: true, done: slots } : null;
}

/** @param {State | null} state @param {number} number */
function slotOf(state, number) {
  return state?.slots.find(({ slot }) => slot === number);
}

/** @param {Slot} [slot] */
function hasStarted(slot) {
  return slot?.status === 'online' || slot?.status === 'exited';
}
