/** The steps of a command, each in one line. */
import { exitedWell } from '../lifecycle/exit.js';
import { escapeLine } from './escape.js';
import { paintStatus, plain } from './paint.js';
import { formatCount } from './quantity.js';
import { reasonText } from './reason.js';

/** @import { Killed, ProgressEvent, Reason } from '../protocol/shapes.js' */
/** @import { Paint } from './paint.js' */

/** The reasons of other kinds continue the sentence. @type {string[]} */
const BEFORE_COLON = ['starting', 'draining', 'stopping', 'stopped', 'failed'];

/** @param {ProgressEvent} event @param {Paint} [paint] */
export function renderProgress(event, paint = plain) {
  const worker = event.slot === undefined ? event.app : `${event.app}:${event.slot}`;
  const detail = detailOf(event);
  // The reason of what has done its work says how it exited.
  const hasEnded = event.kind === 'exited' || exitedWell(event.reason);
  const isSaid = hasEnded && detail && event.reason?.kind !== 'listen';
  const kind = isSaid ? '' : paintStatus(escapeLine(event.kind), paint);
  const hasColon = kind && event.reason && BEFORE_COLON.includes(event.kind);
  const words = [escapeLine(worker), hasColon ? `${kind}:` : kind, detail && paint.dim(detail)];
  return words.filter(Boolean).join(' ');
}

/** @param {ProgressEvent} event */
function detailOf({ kind, pid, ...why }) {
  const text = escapeLine(allText(why) ?? '');
  const isShown = pid && (!text || kind === 'starting');
  return [isShown ? `pid ${pid}` : '', text].filter(Boolean).join(', ');
}

/** @param {{reason?: Reason | null, killed?: Killed}} what why it came so */
export function allText({ killed, reason }) {
  const all = [killed && killedText(killed), reason && reasonText(reason)];
  return all.filter(Boolean).join('; ') || undefined;
}

/** @param {Killed} killed @returns {string} a line of the outcome of a command */
export function killedLine({ workers, ...how }) {
  const [were, they] = workers === 1 ? ['was', 'it'] : ['were', 'they'];
  return `  ${formatCount(workers, 'worker')} ${were} ${killedText(how, they)}.`;
}

/** @param {Pick<Killed, 'afterMs' | 'signal'>} how @param {string} [it] */
function killedText({ afterMs, signal }, it = 'it') {
  const request = signal ?? "the message 'shutdown'";
  return `killed after kill_timeout (${afterMs / 1000}s): ${it}, or what ${it} left, did not exit on ${request}`;
}
