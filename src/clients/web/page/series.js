/** The curves of charts and rows, and the marks on charts. */
import { escapeLine } from '../../../show/escape.js';
import { eventTone } from '../../../show/tone.js';

/** @import { LineEvent } from '../shapes.js' */

/**
 * @param {readonly (readonly [x: number, y: number | null | undefined])[]} points
 * @param {number} maxGap between two points of one line
 */
export function pathOf(points, maxGap) {
  let last = -Infinity;
  return points
    .map(([x, y]) => {
      const isKnown = typeof y === 'number';
      const step = x - last > maxGap ? 'M' : 'L';
      last = isKnown ? x : -Infinity;
      return isKnown ? `${step}${x.toFixed(1)} ${y.toFixed(1)}` : '';
    })
    .join('');
}

/**
 * @typedef {{from: number, to: number, look: 'band' | 'good' | 'warn' | 'bad' | 'plain', text: string}} Mark from, to:
 *   epoch ms; the same: a line
 */

/**
 * What each change ends: commands, runs of a job, and that a worker is blocked or degraded, the latter also for another reason.
 * @type {Record<string, string[]>}
 */
const ENDS = {
  ended: ['begun', 'started'],
  responsive: ['unresponsive'],
  recovered: ['degraded', 'failing'],
  degraded: ['degraded', 'failing'],
  failing: ['degraded', 'failing'],
  exited: ['unresponsive', 'degraded', 'failing'],
  stopped: ['unresponsive', 'degraded', 'failing'],
};
const BEGINNINGS = Object.values(ENDS).flat();
/** These say more than the beginning, whose mark gets their text. */
const OUTCOMES = ['ended', 'responsive'];
const OF_WORKERS = ['exited', 'errored', 'unhealthy', 'replacing', 'event'];

/**
 * What is marked on the time line of the charts: what lasts, such as reloads, runs and blocked workers, and crashes. Pure.
 * @param {LineEvent[]} events the oldest first; of other apps too
 * @param {string} app
 * @param {number} now epoch ms: the end of what has not ended
 */
export function marksOf(events, app, now) {
  /** @type {Mark[]} */
  const marks = [];
  /** @type {Map<string, Mark>} */
  const open = new Map();
  for (const event of events) {
    if (!('app' in event) || event.app !== app) continue;
    const [subject, change] = event.type.split('.');
    const keyOf = (/** @type {string} */ begun) =>
      `${subject} ${'slot' in event ? event.slot : ''} ${begun}`;
    for (const key of (ENDS[change] ?? []).map(keyOf)) {
      endMark(open.get(key), event, change);
      open.delete(key);
    }
    const mark = markOf(event, now);
    if (mark === null) continue;
    if (BEGINNINGS.includes(change)) open.set(keyOf(change), mark);
    marks.push(mark);
  }
  return marks.sort((one, other) => one.from - other.from);
}

/** @param {LineEvent} event @param {number} now @returns {Mark | null} null: it is not marked */
function markOf(event, now) {
  const { type, at, text } = event;
  const [subject, change] = type.split('.');
  const tone = eventTone(event);
  if (BEGINNINGS.includes(change)) {
    const sinceMs = 'durationMs' in event ? (event.durationMs ?? 0) : 0;
    return { from: at - sinceMs, to: now, look: tone || 'band', text };
  }
  if (OUTCOMES.includes(change) || (subject === 'worker' && !OF_WORKERS.includes(change)))
    return null;
  return { from: at, to: at, look: tone || 'plain', text };
}

/** @param {Mark | undefined} mark @param {LineEvent} event @param {string} change */
function endMark(mark, event, change) {
  if (!mark) return;
  mark.to = event.at;
  if (OUTCOMES.includes(change)) mark.text = event.text;
  if ('ok' in event && !event.ok) mark.look = 'bad';
}

/** @param {Mark[]} marks @param {number} at epoch ms @param {number} nearMs @returns {string} what the last one there says */
export function textAt(marks, at, nearMs) {
  const mark = marks.findLast(({ from, to }) => at >= from - nearMs && at <= to + nearMs);
  return mark ? escapeLine(mark.text) : '';
}
