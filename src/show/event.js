/** What happens to apps and workers, each in one line. */
import { formatElapsed } from '../shared/units.js';
import { authorText, differencesText } from './change.js';
import { escapeLine } from './escape.js';
import { paintStatus, paintTone, plain } from './paint.js';
import { allText } from './progress.js';
import { formatTime } from './quantity.js';
import { isKilled, reasonText, reasonWithCause } from './reason.js';

/**
 * @import { AppOutcome, Event, Reason } from '../protocol/shapes.js'
 * @import { Change } from './change.js'
 * @import { Paint } from './paint.js'
 * @import { Told } from './history.js'
 */

/** Of more workers in one line, only the number is said. */
const MAX_WORKERS = 4;

/** @param {Told} event @param {Paint} [paint] @returns {string} `api:1 exited with code 1 after 98ms: no database` */
export function eventText(event, paint = plain) {
  const { app, slot } = event;
  const slots = [...new Set(allOf(event).map((each) => each.slot))];
  const names = slots.map((each) => `${app}:${each}`).join(', ');
  const many = slots.length > MAX_WORKERS ? `${app}, ${slots.length} workers:` : names;
  const name = slot === undefined ? (app ?? '') : many;
  const [what, detail] = describeEvent(event, paint);
  const text = detail ? `${what}: ${escapeLine(detail)}` : what;
  return name ? `${escapeLine(name)} ${text}` : text;
}

/** @param {Told} event @param {Paint} paint @returns {[what: string, detail?: string]} */
function describeEvent(event, paint) {
  if (event.type === 'missed') return [missedText(event)];
  if (event.type === 'worker.event') {
    const { name, data } = event;
    return [escapeLine(name), data === null ? '' : JSON.stringify(data)];
  }
  const [subject, change] = event.type.split('.').map(escapeLine);
  if (event.type === 'job.ended') return [`${subject} ${change}`, runText(event)];
  if ('ok' in event) return outcomeText(subject, event);
  if ('lastSeenAt' in event || 'because' in event) return [`${subject} ${change}`, ownText(event)];
  const why = allText({ reason: undefined, ...event });
  if (subject !== 'worker') return [`${subject} ${change}${authorText(event)}`, why];
  if (event.type === 'worker.exited') return exitWords(event, paint);
  const verb = 'replaces' in event ? 'replaced' : change;
  return [paintStatus(verb, paint), why ?? pidsOf(event)];
}

/** @param {Extract<Event, {type: 'missed'}>} event */
function missedText({ count, kept }) {
  return kept ? `older events are gone: ${kept} are kept` : `${count} events were missed`;
}

/** @param {Extract<Event, {type: 'daemon.started' | 'daemon.ended'}>} event */
function ownText({ lastSeenAt, because }) {
  if (lastSeenAt === undefined) return because;
  return `the one before was killed or crashed, after ${formatTime(lastSeenAt)}`;
}

/** @param {Told & {type: 'worker.exited'}} event @param {Paint} paint @returns {[what: string, detail?: string]} */
function exitWords(event, paint) {
  const { code, reason, cause, durationMs, alike = [] } = event;
  const exited = (/** @type {string} */ text) => paintTone('bad', paint, text);
  if (!reason) return [exited('exited')];
  const last = alike.at(-1);
  const lived = last || durationMs === undefined ? '' : ` after ${formatElapsed(durationMs)}`;
  const isRepeated = new Set(allOf(event).map(({ slot }) => slot)).size <= alike.length;
  const when =
    last && isRepeated ? `, ${alike.length + 1} times until ${formatTime(last.at)}` : lived;
  const text = escapeLine(reasonText(reason));
  if (reason.kind !== 'exit' || typeof reason.final === 'object')
    return [exited(`exited${when}`), text];
  if (isKilled(reason))
    return [`${exited(`killed by ${escapeLine(reason.signal)}`)}${when}, not by nodecluster`];
  return [exited(text) + when, code === null ? '' : cause];
}

/** @param {Told} event @returns {string} `pid 7`, `pid 7 → 9`, or how long it was blocked */
function pidsOf(event) {
  if (event.type === 'worker.responsive' && event.durationMs !== undefined)
    return `its event loop was blocked for ${formatElapsed(event.durationMs)}`;
  const all = allOf(event);
  if (!event.pid || all.length > MAX_WORKERS) return '';
  const pids = all.map(({ pid, replaces }) => (replaces ? `${replaces} → ${pid}` : pid));
  return `pid ${pids.join(', ')}`;
}

/** @param {Told} event @returns {Told[]} what its line tells, in the order of slots */
function allOf({ alike = [], ...event }) {
  return [event, ...alike].sort((one, other) => Number(one.slot) - Number(other.slot));
}

/** @param {{ok: boolean, reason: Reason, durationMs?: number}} run */
function runText({ ok, reason, durationMs }) {
  const time = durationMs === undefined ? '' : ` after ${formatElapsed(durationMs)}`;
  return `${ok ? 'succeeded' : `failed, ${reasonText(reason)}`}${time}`;
}

/**
 * @param {string} command
 * @param {Pick<AppOutcome, 'ok' | 'failed' | 'durationMs'> & {change?: Change, by?: Change['by']}} outcome
 * @returns {[what: string, detail?: string]} `reload done in 2.4s by alice: env.PORT`
 */
function outcomeText(command, { ok, failed, durationMs, change, by = change?.by }) {
  const changed = change ? differencesText(change) : '';
  const who = authorText({ by });
  if (!ok)
    return [
      `${command} failed${who}`,
      [reasonWithCause(failed[0] ?? {}), changed].filter(Boolean).join('; '),
    ];
  const time = durationMs > 0 ? ` in ${formatElapsed(durationMs)}` : '';
  return [`${command} done${time}${who}`, changed];
}
