/** Derives what daemon.log says about workers from two snapshots of their primary. */
import { formatDuration } from '../../shared/units.js';

/**
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { PastExit, SlotState } from '../../protocol/shapes.js'
 */

/** @typedef {{level: 'info' | 'warn' | 'error', event: string, fields: object}} LogEntry */

/** An exit that the settings allow is not a warning. @type {Record<string, LogEntry['level']>} */
const LEVELS = { errored: 'error', exited: 'info' };

/**
 * Before a primary was launched: a worker may have exited before the daemon is connected. The command that
 * launched it logs the starts.
 */
export const NEW_PRIMARY = { slots: [], busy: 'start', lastReplacement: null };

/** @typedef {Pick<Snapshot, 'slots' | 'busy' | 'lastReplacement'>} Before */

/**
 * A command in progress logs its own steps, so this covers only what no command requested.
 * @param {Before | null} before null: nothing was known, so nothing counts as new
 * @param {Snapshot} after
 * @param {number} nowMs on the machine's monotonic clock
 * @returns {LogEntry[]}
 */
export function workerEvents(before, after, nowMs) {
  if (before === null) return [];
  const states = new Map(before.slots.map((state) => [state.slot, state]));
  const isQuiet = !before.busy && !after.busy;
  const ofWorkers = after.slots.flatMap((state) => {
    const previous = states.get(state.slot);
    return [
      ...exitEntries(state, previous, nowMs),
      ...hangEntries(state, previous, nowMs),
      ...(isQuiet ? onlineEntries(state, previous) : []),
    ];
  });
  return [...ofWorkers, ...replacementEntries(before, after)];
}

/** @param {Before} before @param {Snapshot} after @returns {LogEntry[]} */
function replacementEntries({ lastReplacement: before }, { lastReplacement: latest }) {
  if (latest === null || (latest.slot === before?.slot && latest.at === before.at)) return [];
  const { slot, reason } = latest;
  return [{ level: 'info', event: 'worker.replacing', fields: { slot, reason } }];
}

/**
 * @param {SlotState} state
 * @param {SlotState | undefined} previous
 * @param {number} nowMs
 * @returns {LogEntry[]} the earliest first
 */
function exitEntries(state, previous, nowMs) {
  const exits = newExits(state, previous).reverse();
  return exits.map(({ code, signal, error, reason, uptimeMs }, index) => {
    const isLatest = index === exits.length - 1;
    const next = isLatest ? nextStep(state, previous, nowMs) : { then: 'started again' };
    const exit = { slot: state.slot, code, signal, error: error ?? undefined, reason };
    return {
      level: LEVELS[next.then] ?? 'warn',
      event: 'worker.ended',
      fields: { ...exit, after: formatDuration(uptimeMs), ...next },
    };
  });
}

/**
 * @param {SlotState} state
 * @param {SlotState | undefined} previous
 * @returns {PastExit[]} the latest first
 */
function newExits({ lastExit, earlierExits }, previous) {
  const exits = lastExit === null ? [] : [lastExit, ...earlierExits];
  const known = previous?.lastExit;
  const count = exits.findIndex(
    ({ at, uptimeMs }) => at === known?.at && uptimeMs === known.uptimeMs,
  );
  return count === -1 ? exits : exits.slice(0, count);
}

/**
 * @param {SlotState} state
 * @param {SlotState | undefined} previous
 * @param {number} nowMs
 * @returns {{then: string, inMs?: number, why?: string | null}}
 */
function nextStep({ pid, status, retryAtMs, reason }, previous, nowMs) {
  // What ended was to replace it.
  if (pid !== null && pid === previous?.pid) return { then: 'the old worker stays' };
  if (status === 'backoff' && retryAtMs !== null) {
    return { then: status, inMs: Math.max(0, retryAtMs - nowMs) };
  }
  if (status === 'errored' || status === 'exited') return { then: status, why: reason };
  return { then: status === 'stopped' ? 'stopped' : 'started again' };
}

/**
 * @param {SlotState} state
 * @param {SlotState | undefined} previous
 * @param {number} nowMs
 * @returns {LogEntry[]}
 */
function hangEntries({ slot, pid, status, blockedSinceMs }, previous, nowMs) {
  const wasUnresponsive = previous?.status === 'unresponsive' && previous.pid === pid;
  if (status === 'unresponsive' && !wasUnresponsive) {
    const blockedFor = formatDuration(Math.max(0, nowMs - (blockedSinceMs ?? nowMs)));
    return [{ level: 'warn', event: 'worker.unresponsive', fields: { slot, pid, blockedFor } }];
  }
  if (status !== 'online' || !wasUnresponsive) return [];
  return [{ level: 'info', event: 'worker.responsive', fields: { slot, pid } }];
}

/** @param {SlotState} state @param {SlotState | undefined} previous @returns {LogEntry[]} */
function onlineEntries({ slot, pid, status, generation, restarts }, previous) {
  const wasOnline = ['online', 'unresponsive'].includes(previous?.status ?? '');
  if (status !== 'online' || (wasOnline && previous?.pid === pid)) return [];
  return [{ level: 'info', event: 'worker.online', fields: { slot, pid, generation, restarts } }];
}
