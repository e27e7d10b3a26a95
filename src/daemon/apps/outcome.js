/** Outcomes of commands for clients, with worker ids in place of the primary's slots. */
import { catalogue } from '../../errors/catalogue.js';
import { NodeclusterError } from '../../errors/error.js';
import { joinKilled } from '../../lifecycle/killed.js';

/**
 * @import { AppOutcome, PartialOutcome, Reason, SlotState, WorkerNote } from '../../protocol/shapes.js'
 * @import { App } from './app.js'
 */

/** @type {Reason} */
export const NOT_ONLINE = { kind: 'late', what: 'serve' };

/**
 * @param {string} name @param {string} action @param {PartialOutcome} outcome
 * @param {Readonly<Record<number, number>>} ids by slot
 * @returns {AppOutcome}
 */
export function appOutcome(name, action, outcome, ids) {
  const idOf = (/** @type {number} */ slot) => ids[slot] ?? null;
  const { ok, done = [], failed = [], kept = [], rolledBack = [] } = outcome;
  const { minReady = null, durationMs = 0, longLivedCut = 0, killed, notes = [] } = outcome;
  return {
    name,
    action,
    ok,
    done: done.map(idOf),
    failed: failed.map((one) => ({ id: one.slot === null ? null : idOf(one.slot), ...one })),
    kept: kept.map(idOf),
    rolledBack: rolledBack.map(idOf),
    minReady,
    durationMs,
    longLivedCut,
    ...(killed && { killed }),
    ...(notes.length > 0 && { notes: notes.map((one) => ({ id: idOf(one.slot), ...one })) }),
  };
}

/**
 * @param {Pick<App, 'slots' | 'count' | 'desiredSlots' | 'ids'> &
 *   {link: {state: string, snapshot: {slots: Pick<SlotState, 'slot' | 'status' | 'listening'>[]} | null}}} app
 */
export function summarize({ slots, count, desiredSlots, ids, link }) {
  const known = link.state === 'connected' ? (link.snapshot?.slots ?? []) : [];
  const online = known.filter(({ status }) => status === 'online');
  return {
    workers: count,
    online: online.map(({ slot }) => ids[slot]),
    stopped: slots.filter((slot) => !desiredSlots.includes(slot)).map((slot) => ids[slot]),
    listening: online.flatMap(({ listening }) => listening),
  };
}

/**
 * A command on several apps may outlast a worker that was online when its own app was done.
 * @param {AppOutcome} outcome @param {Pick<App, 'slots' | 'count' | 'desiredSlots' | 'ids' | 'queue' | 'link'>} app
 * @returns {AppOutcome} failed if a worker has crashed since, and is not online again
 */
export function withLaterExits(outcome, app) {
  // Another command may be stopping or starting the workers.
  if (!outcome.ok || app.queue.current !== null) return outcome;
  const { slots = [] } = app.link.snapshot ?? {};
  const failed = slots
    .filter(({ slot }) => outcome.done.includes(app.ids[slot]) && app.desiredSlots.includes(slot))
    .filter(({ status }) => ['starting', 'backoff', 'errored'].includes(status))
    .map(({ slot, reason, lastExit }) => ({
      id: app.ids[slot],
      slot,
      reason: reason ?? lastExit?.reason ?? NOT_ONLINE,
      cause: lastExit?.cause,
      lastLines: lastExit?.lastLines ?? [],
    }));
  const after = { ...outcome.after, ...summarize(app) };
  if (failed.length === 0) {
    const isOld = (/** @type {WorkerNote} */ one) =>
      one.note.kind === 'silent' &&
      slots.some((each) => each.slot === one.slot && each.listening.length > 0);
    const { notes = [], ...rest } = outcome;
    const current = notes.filter((one) => !isOld(one));
    return { ...rest, ...(current.length > 0 && { notes: current }), after };
  }
  const done = outcome.done.filter((id) => !failed.some((one) => one.id === id));
  return { ...outcome, ok: false, done, failed, after };
}

/** @param {unknown} thrown @returns {PartialOutcome} of a command that failed as a whole */
export function failedOutcome(thrown) {
  const { code, message, hint, data } = NodeclusterError.from(thrown);
  // A message may end with the words of the system, which have no full stop.
  const text = hint ? `${message.replace(/[.]?$/, '.')} ${hint}` : message;
  const reason = /** @type {const} */ ({ kind: 'error', code, text });
  return { ok: false, failed: [{ slot: null, reason, lastLines: data.lastLines ?? [] }] };
}

/** Nothing was tried. @param {Reason} [reason] */
export function isRefused(reason) {
  return reason?.kind === 'error' && catalogue[reason.code]?.exitCode === 'refused';
}

/** Of two steps of one command. @param {PartialOutcome} first @param {PartialOutcome} second @returns {PartialOutcome} */
export function joinOutcomes(first, second) {
  const both = [first, second];
  const list = (/** @type {'done' | 'kept' | 'rolledBack'} */ key) =>
    both.flatMap((outcome) => outcome[key] ?? []);
  const sum = (/** @type {'durationMs' | 'longLivedCut'} */ key) =>
    (first[key] ?? 0) + (second[key] ?? 0);
  return {
    ok: first.ok && second.ok,
    done: [...new Set(list('done'))],
    failed: both.flatMap(({ failed = [] }) => failed),
    kept: list('kept'),
    rolledBack: list('rolledBack'),
    minReady: Math.min(...both.map(({ minReady = Infinity }) => minReady)),
    durationMs: sum('durationMs'),
    notes: both.flatMap(({ notes = [] }) => notes),
    longLivedCut: sum('longLivedCut'),
    killed: joinKilled(first.killed, second.killed),
  };
}
