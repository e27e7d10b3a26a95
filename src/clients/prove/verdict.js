/** What requests say about a fault, and how `prove` shows it: a row for each event, and the verdict. */
import { escapeLine } from '../../show/escape.js';
import { formatCount } from '../../show/quantity.js';
import { paint } from '../../show/terminal/palette.js';
import { drawTable } from '../../show/terminal/table.js';
import { groupBy } from '../../shared/groups.js';
import { formatElapsed } from '../../shared/units.js';

/**
 * @import { Terminal } from '../../show/terminal/palette.js'
 * @import { Asked } from './measure.js'
 */

/** An app that limits the rate of its clients says so; that is no fault. */
const TOO_MANY = 429;

/** @typedef {ReturnType<typeof eventOf>} Event */

/**
 * @param {string} event
 * @param {readonly Asked[]} asked
 * @param {object} circumstances
 * @param {ReadonlySet<number>} circumstances.known statuses of the app before any event
 * @param {Loss | null} [circumstances.loss] null: nothing was killed
 * @param {number} [circumstances.wholeMs]
 * @param {string | null} [circumstances.trouble] why the event itself failed
 */
export function eventOf(event, asked, { known, loss = null, wholeMs = 0, trouble = null }) {
  const lost = asked.filter(({ status }) => !isAnswer(status, known));
  const beyond = lost.filter((one) => one.status !== null || !loss || !wasInFlight(one, loss));
  const answered = asked.filter((one) => !lost.includes(one));
  const groups = groupBy(beyond, ({ status, code }) =>
    status === null ? code : `status ${status}`,
  );
  return {
    event,
    /** Made, from a second before the event until a second after the app was whole. */
    requests: asked.length,
    lost: lost.length,
    /** Of these, lost with the killed process that had them. */
    inFlight: lost.length - beyond.length,
    /** Of the others, and how often. */
    reasons: Object.fromEntries([...groups].map(([reason, { length }]) => [reason, length])),
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

/**
 * @typedef {object} Loss
 * @property {'primary' | 'worker' | 'other'} kind of the killed process
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

const HEADS = ['event', 'requests', 'lost', 'in flight', 'longest wait', 'whole after'];

/** @param {readonly Event[]} events @param {Terminal} terminal */
export function renderEvents(events, terminal) {
  const { dim, red } = paint(terminal);
  const rows = events.map((each) => [
    nameOf(each),
    String(each.requests),
    lostBeyond(each) > 0 ? red(String(each.lost)) : String(each.lost),
    each.lost > 0 ? String(each.inFlight) : '',
    `${each.longestWaitMs}ms`,
    each.wholeMs > 0 ? formatElapsed(each.wholeMs) : '',
  ]);
  return drawTable(
    [HEADS.map((head) => dim(head)), ...rows],
    HEADS.map((_, index) => ({ align: index === 0 ? 'left' : 'right' })),
  ).join('\n');
}

/** @param {Event} event */
function nameOf({ event }) {
  return ['worker', 'primary', 'daemon'].includes(event) ? `${event} killed` : event;
}

/** @param {string} app @param {readonly Event[]} events @param {Terminal} terminal */
export function renderVerdict(app, events, terminal) {
  const { green, red } = paint(terminal);
  const name = escapeLine(app);
  if (isProven(events)) {
    const inFlight = events.reduce((sum, each) => sum + each.inFlight, 0);
    const lost =
      inFlight === 0
        ? 'no request was lost'
        : `only ${formatCount(inFlight, 'request')} that a killed process was handling ${inFlight === 1 ? 'was' : 'were'} lost`;
    return `${green('✔')} ${name}: proven, ${lost}.`;
  }
  const lines = events.flatMap(troublesOf);
  return [`${red('✖')} ${name}: not proven.`, ...lines.map((line) => `  ${line}`)].join('\n');
}

/** @param {Event} event */
function troublesOf(event) {
  const name = nameOf(event);
  const reasons = Object.entries(event.reasons).map(([reason, count]) => `${count} × ${reason}`);
  const lost = `${formatCount(lostBeyond(event), 'request')} lost (${escapeLine(reasons.join(', '))})`;
  return [
    ...(lostBeyond(event) > 0 ? [`${name}: ${lost}`] : []),
    ...(event.trouble === null ? [] : [`${name}: ${escapeLine(event.trouble)}`]),
  ];
}
