/** What happened to the workers of an app between two snapshots of its primary, for the log. */
import { formatDuration } from '../../shared/units.js';

/**
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { PastExit, SlotState } from '../../protocol/shapes.js'
 */

/**
 * @typedef {{level: 'info' | 'warn' | 'error', event: string, fields: object}} Happening
 */

/** Ways to stand that need a command to leave. */
const GIVEN_UP = ['errored', 'exited'];
/** An end that the settings allow is none to be woken for. @type {Record<string, Happening['level']>} */
const LEVELS = { errored: 'error', exited: 'info' };

/**
 * Steps of a command are told by the command, so only what nobody asked for is in here.
 * @param {Snapshot | null} before null: nothing was known, so nothing can be said to have happened
 * @param {Snapshot} after
 * @param {number} nowMs on the machine's monotonic clock
 * @returns {Happening[]}
 */
export function workerEvents(before, after, nowMs) {
  if (before === null) return [];
  const known = new Map(before.slots.map((state) => [state.slot, state]));
  const isQuiet = !before.busy && !after.busy;
  return after.slots.flatMap((state) => {
    const previous = known.get(state.slot);
    return [
      ...endsOf(state, previous, nowMs),
      ...hangOf(state, previous, nowMs),
      ...(isQuiet ? arrivalOf(state, previous) : []),
    ];
  });
}

/**
 * @param {SlotState} state
 * @param {SlotState | undefined} previous
 * @param {number} nowMs
 * @returns {Happening[]} the earliest first
 */
function endsOf(state, previous, nowMs) {
  const ends = newEnds(state, previous).reverse();
  return ends.map(({ code, signal, error, reason, uptimeMs }, index) => {
    const then = index === ends.length - 1 ? sequelOf(state, nowMs) : { then: 'started again' };
    const { slot } = state;
    const level = LEVELS[then.then] ?? 'warn';
    const how = { code, signal, error: error ?? undefined, reason };
    return {
      level,
      event: 'worker.ended',
      fields: { slot, ...how, after: formatDuration(uptimeMs), ...then },
    };
  });
}

/**
 * @param {SlotState} state
 * @param {SlotState | undefined} previous
 * @returns {PastExit[]} the latest first
 */
function newEnds({ lastExit = null, earlierExits = [] }, previous) {
  const ends = lastExit === null ? [] : [lastExit, ...earlierExits];
  const seen = previous?.lastExit;
  const end = seen
    ? ends.findIndex(({ at, uptimeMs }) => at === seen.at && uptimeMs === seen.uptimeMs)
    : -1;
  return end === -1 ? ends : ends.slice(0, end);
}

/**
 * @param {SlotState} state
 * @param {number} nowMs
 * @returns {{then: string, inMs?: number, why?: string | null}} what follows on the end of a worker
 */
function sequelOf({ status, retryAtMs, reason }, nowMs) {
  if (status === 'backoff')
    return { then: 'backoff', inMs: Math.max(0, (retryAtMs ?? nowMs) - nowMs) };
  if (GIVEN_UP.includes(status)) return { then: status, why: reason };
  return { then: status === 'stopped' ? 'stopped' : 'started again' };
}

/**
 * @param {SlotState} state
 * @param {SlotState | undefined} previous
 * @param {number} nowMs
 * @returns {Happening[]}
 */
function hangOf({ slot, pid, status, blockedSinceMs }, previous, nowMs) {
  const was = previous?.status === 'unresponsive' && previous.pid === pid;
  if (status === 'unresponsive' && !was) {
    const blockedFor = formatDuration(Math.max(0, nowMs - (blockedSinceMs ?? nowMs)));
    return [{ level: 'warn', event: 'worker.unresponsive', fields: { slot, pid, blockedFor } }];
  }
  if (status !== 'online' || !was) return [];
  return [{ level: 'info', event: 'worker.responsive', fields: { slot, pid } }];
}

/**
 * @param {SlotState} state
 * @param {SlotState | undefined} previous
 * @returns {Happening[]}
 */
function arrivalOf({ slot, pid, status, generation, restarts }, previous) {
  const stood = ['online', 'unresponsive'].includes(previous?.status ?? '');
  if (status !== 'online' || (stood && previous?.pid === pid)) return [];
  return [{ level: 'info', event: 'worker.online', fields: { slot, pid, generation, restarts } }];
}
