/** What happens to workers, each in one line: events, and the steps of a command. */
import { exitedWell } from '../lifecycle/exit.js';
import { formatElapsed } from '../shared/units.js';
import { authorText, changeText } from './change.js';
import { escapeLine } from './escape.js';
import { paintStatus, paintTone, plain } from './paint.js';
import { formatCount } from './quantity.js';
import { reasonText, reasonWithCause } from './reason.js';
import { eventTone } from './tone.js';

/**
 * @import { AppOutcome, Event, Killed, ProgressEvent, Reason } from '../protocol/shapes.js'
 * @import { Paint } from './paint.js'
 */

/** @param {Event} event @param {Paint} [paint] @returns {string} `api:1 exited: exit code 1` */
export function eventText(event, paint = plain) {
  const app = 'app' in event ? event.app : null;
  const name = app !== null && 'slot' in event ? `${app}:${event.slot}` : app;
  const [what, detail] = describeEvent(event, paint);
  const text = detail ? `${what}: ${escapeLine(detail)}` : what;
  return name ? `${escapeLine(name)} ${text}` : text;
}

/** @param {Event} event @param {Paint} [paint] @returns {[what: string, detail?: string]} */
function describeEvent(event, paint = plain) {
  if (event.type === 'missed') return [`${event.count} events were missed`];
  if (event.type === 'worker.event') {
    const { name, data } = event;
    return [escapeLine(name), data === null ? '' : JSON.stringify(data)];
  }
  const [subject, change] = event.type.split('.').map(escapeLine);
  if (event.type === 'job.ended') return [`${subject} ${change}`, runText(event)];
  if ('ok' in event) return [`${subject} ${event.ok ? change : 'failed'}`, outcomeText(event)];
  const why = allText({ reason: undefined, ...event });
  if (subject !== 'worker') return [`${subject} ${change}${automaticAuthor(event)}`, why];
  if (event.type === 'worker.exited') return exitWords(event, paint);
  return [paintStatus(change, paint), why ?? detailOfWorker(event)];
}

/** Whoever gave a command knows. @param {Event} event @returns {string} ` by watch: src/a.js` */
function automaticAuthor(event) {
  return 'by' in event && event.by && !('pid' in event.by) ? authorText(event) : '';
}

/**
 * @param {string} text `commands,worker.exited`
 * @returns {(event: Event) => boolean} whether an event is one of these
 * @throws {RangeError}
 */
export function parseEventTypes(text) {
  /** @type {((event: Event) => boolean)[]} */
  const tests = text.split(',').map((type) => {
    // The outcome of a reload, a start, …
    if (type === 'commands') return (event) => 'failed' in event;
    if (type === 'problems') return (event) => ['bad', 'warn'].includes(eventTone(event));
    const [subject, change, ...rest] = type.split('.');
    if (!subject || !change || rest.length > 0) {
      throw new RangeError('It must be commands, problems, or types: worker.exited, reload.*');
    }
    const fits = (/** @type {string} */ part, /** @type {string} */ of) => [of, '*'].includes(part);
    return ({ type: of }) => fits(subject, of.split('.')[0]) && fits(change, of.split('.')[1]);
  });
  return (event) => event.type === 'missed' || tests.some((test) => test(event));
}

/** @param {Event & {type: 'worker.exited'}} event @param {Paint} paint @returns {[what: string, detail?: string]} */
function exitWords({ code, reason, cause }, paint) {
  if (!reason) return [paintStatus('exited', paint)];
  const text = reasonText(reason);
  const isCode = code !== null && reason.kind === 'exit' && reason.final === undefined;
  if (!isCode) return [paintStatus('exited', paint), text];
  return [paintTone('off', paint, escapeLine(text)), cause];
}

/** @param {Event} event */
function detailOfWorker(event) {
  if (event.type === 'worker.responsive' && event.durationMs !== undefined) {
    return `its event loop was blocked for ${formatElapsed(event.durationMs)}`;
  }
  return 'pid' in event && event.pid ? `pid ${event.pid}` : undefined;
}

/** @param {{ok: boolean, reason: Reason, durationMs?: number}} run */
function runText({ ok, reason, durationMs }) {
  const time = durationMs === undefined ? '' : ` after ${formatElapsed(durationMs)}`;
  return `${ok ? 'succeeded' : `failed, ${reasonText(reason)}`}${time}`;
}

/**
 * @param {Pick<AppOutcome, 'ok' | 'failed' | 'durationMs'> & {change?: Parameters<changeText>[0]}} outcome
 * @returns {string} `done in 2.4s by alice (cli): env.PORT`
 */
function outcomeText({ ok, failed, durationMs, change }) {
  const who = change ? changeText(change) : '';
  if (!ok) return `${reasonWithCause(failed[0] ?? {})}${who && `;${who}`}`;
  return `${durationMs > 0 ? `done in ${formatElapsed(durationMs)}` : 'done'}${who}`;
}

/** @param {ProgressEvent} event @param {Paint} [paint] */
export function renderProgress(event, paint = plain) {
  const worker = event.slot === undefined ? event.app : `${event.app}:${event.slot}`;
  const detail = detailOf(event);
  // The reason of what has done its work says how it exited.
  const hasEnded = event.kind === 'exited' || exitedWell(event.reason);
  const isSaid = hasEnded && detail && event.reason?.kind !== 'listen';
  const kind = isSaid ? '' : paintStatus(escapeLine(event.kind), paint);
  return [escapeLine(worker), kind, detail && paint.dim(detail)].filter(Boolean).join(' ');
}

/** @param {ProgressEvent} event */
function detailOf({ kind, pid, ...why }) {
  const all = allText(why);
  const text = all && escapeLine(all);
  const isShown = pid && (!text || kind === 'starting');
  return [isShown ? `pid ${pid}` : '', text].filter(Boolean).join(', ');
}

/** @param {{reason?: Reason | null, killed?: Killed}} what */
function allText({ killed, reason }) {
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
