/**
 * A command whose connection to the primary breaks while it is carried out. The primary goes on with it, so
 * what became of it is what the primary reports when it has been found again.
 */
import { NodeclusterError } from '../../errors/error.js';
import { poll } from '../../shared/deadline.js';

/**
 * @import { PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { PrimaryLink } from './link.js'
 * @import { EndedReload, Outcome, SlotState } from '../../protocol/shapes.js'
 */

const POLL_MS = 20;

/**
 * @template {keyof PrimaryMethods} K
 * @param {PrimaryLink} link
 * @param {K} method
 * @param {PrimaryMethods[K]['params'] & {slots?: number[], generation?: number}} params
 * @param {{report?: ReportProgress, timeoutMs: number}} options
 * @throws {NodeclusterError} E_PRIMARY_LOST, and what the link throws
 */
export async function requestThroughLoss(link, method, params, options) {
  const before = link.snapshot;
  try {
    return await link.request(method, params, options);
  } catch (thrown) {
    const { code, data } = NodeclusterError.from(thrown);
    if (code !== 'E_PRIMARY_LOST') throw thrown;
    // Whether a state can show how it ended.
    const isJudged = Object.hasOwn(ENDS, method);
    const isOver = () =>
      link.state !== 'unknown' && (!isJudged || link.state === 'none' || isIdle(link));
    await poll(isOver, { timeoutMs: options.timeoutMs, everyMs: POLL_MS });
    link.refuseUnknown();
    if (link.state === 'none') throw new NodeclusterError('E_PRIMARY_GONE', data, thrown);
    const ended = link.snapshot && isIdle(link) && endOf(method, params, before, link.snapshot);
    if (!ended) throw thrown;
    return /** @type {PrimaryMethods[K]['result']} */ (ended);
  }
}

/** @param {PrimaryLink} link to a primary that answers */
function isIdle({ snapshot }) {
  return snapshot?.busy === null;
}

/**
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

/**
 * A command of an earlier daemon may still be in progress.
 * @param {PrimaryLink} link
 * @returns {Promise<void>} when the primary is idle or lost
 */
export function whenIdle(link) {
  return new Promise((resolve) => {
    const check = () => {
      // While it is looked for, what it last reported counts.
      if (link.state !== 'none' && link.snapshot?.busy) return;
      link.off('state', check).off('lost', check);
      resolve();
    };
    link.on('state', check).on('lost', check);
    check();
  });
}
