/** The curves of charts and rows, and the marks on charts. */
import { escapeLine } from '../../../show/escape.js';
import { eventTone } from '../../../show/tone.js';

/** @import { LineEvent } from '../shapes.js' */

/** Samples come every ten seconds, or more often. */
export const GAP_MS = 15_000;

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

/** What begins a command, or a run of a job. */
const BEGINNINGS = ['begun', 'started'];
/** Of workers, only what breaks. */
const BREAKS = ['bad', 'warn'];

/**
 * What is marked on the time line of the charts: commands and runs of jobs, and what breaks. Pure.
 * @param {LineEvent[]} events the oldest first; of other apps too
 * @param {string} app
 * @param {number} now epoch ms: the end of what has not ended
 */
export function marksOf(events, app, now) {
  /** @type {Mark[]} */
  const marks = [];
  /** By its subject. @type {Map<string, Mark>} */
  const open = new Map();
  for (const event of events) {
    if (!('app' in event) || event.app !== app) continue;
    const { type, at, text } = event;
    const [subject, change] = type.split('.');
    const tone = eventTone(event);
    if (change === 'ended') {
      endMark(open.get(subject), event);
      open.delete(subject);
    } else if (BEGINNINGS.includes(change)) {
      open.set(subject, { from: at, to: now, look: tone || 'band', text });
      marks.push(/** @type {Mark} */ (open.get(subject)));
    } else if (subject !== 'worker' || BREAKS.includes(tone)) {
      marks.push({ from: at, to: at, look: tone || 'plain', text });
    }
  }
  return marks;
}

/** @param {Mark | undefined} mark @param {LineEvent} event */
function endMark(mark, event) {
  if (!mark) return;
  Object.assign(mark, { to: event.at, text: event.text });
  if ('ok' in event && !event.ok) mark.look = 'bad';
}

/** @param {Mark[]} marks @param {number} at epoch ms @param {number} nearMs @returns {string} what the last one there says */
export function textAt(marks, at, nearMs) {
  const mark = marks.findLast(({ from, to }) => at >= from - nearMs && at <= to + nearMs);
  return mark ? escapeLine(mark.text) : '';
}
