/** What requests say about a fault, as pure functions. */

/** @import { Asked } from './measure.js' */

/** An app that limits the rate of its clients says so; that is no fault. */
const TOO_MANY = 429;

/**
 * @typedef {object} Event
 * @property {string} event
 * @property {number} requests made, from a second before the event until a second after the app was whole
 * @property {number} lost
 * @property {number} inFlight of these, lost with the killed process that had them
 * @property {Record<string, number>} reasons of the others, and how often
 * @property {number} longestWaitMs of the requests that were answered
 * @property {number} wholeMs time until the app was whole again
 * @property {string | null} trouble why the event itself failed
 */

/**
 * @param {string} event
 * @param {readonly Asked[]} asked
 * @param {object} circumstances
 * @param {ReadonlySet<number>} circumstances.known statuses of the app before any event
 * @param {Loss | null} [circumstances.loss] null: nothing was killed
 * @param {number} [circumstances.wholeMs]
 * @param {string | null} [circumstances.trouble]
 * @returns {Event}
 */
export function eventOf(event, asked, { known, loss = null, wholeMs = 0, trouble = null }) {
  const lost = asked.filter(({ status }) => !isAnswer(status, known));
  const beyond = lost.filter((one) => one.status !== null || !loss || !wasInFlight(one, loss));
  const answered = asked.filter((one) => !lost.includes(one));
  return {
    event,
    requests: asked.length,
    lost: lost.length,
    inFlight: lost.length - beyond.length,
    reasons: countReasons(beyond),
    longestWaitMs: Math.round(Math.max(0, ...answered.map(({ waitMs }) => waitMs))),
    wholeMs: Math.round(wholeMs),
    trouble,
  };
}

/** @param {Event} event @returns {number} requests that were lost and need not have been */
export function lostBeyond({ lost, inFlight }) {
  return lost - inFlight;
}

/** @param {readonly Event[]} events */
export function isProven(events) {
  return events.every((each) => lostBeyond(each) === 0 && each.trouble === null);
}

/**
 * A status of the client's fault is an answer only if the app gave it before too: a new worker that
 * does not know its routes yet answers with 404.
 * @param {number | null} status
 * @param {ReadonlySet<number>} known
 */
function isAnswer(status, known) {
  if (status === null || status >= 500) return false;
  return status < 400 || status === TOO_MANY || known.has(status);
}

/** @param {readonly Asked[]} lost */
function countReasons(lost) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { status, code } of lost) {
    const reason = status === null ? code : `status ${status}`;
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

/**
 * @typedef {object} Loss
 * @property {'primary' | 'worker' | 'other'} kind of the killed process; a primary that accepts no
 *   connections is 'other'
 * @property {number} exitedAt epoch in ms
 */

/** How a client sees that a process with its connection has exited; EPIPE: it was just sending. */
const CUT = ['ECONNRESET', 'EPIPE'];
/** For a client on a busy machine to see that a connection is closed, which it uses again until then. */
const UNSEEN_MS = 100;

/**
 * A worker takes every request with it that it was sent; a primary, a new connection that it had
 * accepted and not handed to a worker yet.
 * @param {Pick<Asked, 'code' | 'reused' | 'askedAt'>} failure
 * @param {Loss} loss
 */
export function wasInFlight({ code, reused, askedAt }, { kind, exitedAt }) {
  if (kind === 'other' || !CUT.includes(code)) return false;
  if (kind === 'primary') return !reused && askedAt <= exitedAt;
  return askedAt <= exitedAt + (reused ? UNSEEN_MS : 0);
}
