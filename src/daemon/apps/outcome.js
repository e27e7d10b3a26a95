/** The outcome of a command for the client: the slots of the primary become worker ids. */
import { NodeclusterError } from '../../errors/error.js';

/** @import { App } from './app.js' */

/**
 * @typedef {object} Failure
 * @property {number | null} id
 * @property {number | null} slot null: the app as a whole
 * @property {string} reason
 * @property {string[]} lastLines
 */

/**
 * @typedef {object} AppOutcome
 * @property {string} name
 * @property {string} action
 * @property {boolean} ok
 * @property {(number | null)[]} done ids
 * @property {Failure[]} failed
 * @property {(number | null)[]} kept ids
 * @property {(number | null)[]} rolledBack ids
 * @property {number | null} minReady
 * @property {number} durationMs
 * @property {number} longLivedCut
 * @property {true} [accepted] it runs, and the client does not wait
 * @property {AppSummary} [before]
 * @property {AppSummary} [after]
 */

/**
 * @typedef {object} AppSummary
 * @property {number} workers
 * @property {number[]} online ids
 * @property {number[]} stopped slots that the user stopped
 */

/** What a primary replies, or the part of it that applies. @typedef {Record<string, any>} Outcome */

/**
 * @param {string} name
 * @param {string} action
 * @param {Outcome} outcome
 * @param {Readonly<Record<number, number>>} ids by slot
 * @returns {AppOutcome}
 */
export function appOutcome(name, action, outcome, ids) {
  const idOf = (/** @type {number} */ slot) => ids[slot] ?? null;
  const { ok = true, done = [], failed = [], kept = [], rolledBack = [] } = outcome;
  const { minReady = null, durationMs = 0, longLivedCut = 0 } = outcome;
  return {
    name,
    action,
    ok,
    done: done.map(idOf),
    failed: failed.map((/** @type {any} */ one) => ({ id: idOf(one.slot), ...one })),
    kept: kept.map(idOf),
    rolledBack: rolledBack.map(idOf),
    minReady,
    durationMs,
    longLivedCut,
  };
}

/**
 * @param {string} name
 * @param {string} action
 * @returns {AppOutcome} of a command that runs
 */
export function acceptedOutcome(name, action) {
  return { ...appOutcome(name, action, {}, {}), accepted: true };
}

/**
 * @param {Pick<App, 'slots' | 'desiredSlots' | 'ids'> &
 *   {link: {state: string, snapshot: {slots: {slot: number, status: string}[]} | null}}} app
 * @returns {AppSummary}
 */
export function summarize({ slots, desiredSlots, ids, link }) {
  const known = link.state === 'connected' ? (link.snapshot?.slots ?? []) : [];
  const online = known.filter(({ status }) => status === 'online');
  return {
    workers: slots.length,
    online: online.map(({ slot }) => ids[slot]),
    stopped: slots.filter((slot) => !desiredSlots.includes(slot)),
  };
}

/**
 * @param {unknown} thrown
 * @returns {Outcome} of a command that failed as a whole
 */
export function failedOutcome(thrown) {
  const { message, hint, data } = NodeclusterError.from(thrown);
  const reason = hint ? `${message} ${hint}` : message;
  return { ok: false, failed: [{ slot: null, reason, lastLines: data.lastLines ?? [] }] };
}

/**
 * Two steps of one command.
 * @param {Outcome} first
 * @param {Outcome} second
 * @returns {Outcome}
 */
export function joinOutcomes(first, second) {
  const both = [first, second];
  const list = (/** @type {string} */ key) => both.flatMap((outcome) => outcome[key] ?? []);
  const sum = (/** @type {string} */ key) => (first[key] ?? 0) + (second[key] ?? 0);
  return {
    ok: first.ok && second.ok,
    done: [...new Set(list('done'))],
    failed: list('failed'),
    kept: list('kept'),
    rolledBack: list('rolledBack'),
    minReady: Math.min(...both.map(({ minReady = Infinity }) => minReady)),
    durationMs: sum('durationMs'),
    longLivedCut: sum('longLivedCut'),
  };
}
