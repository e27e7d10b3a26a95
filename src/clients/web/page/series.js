/** The lines of the charts, and the marks on them. */
import { eventTone } from '../../../show/tone.js';

/**
 * @import { AlignedData } from 'uplot'
 * @import { Figures, LineEvent } from '../shapes.js'
 */

/** Samples come once a second. */
const GAP_MS = 5000;

/**
 * @param {readonly number[]} times epoch ms
 * @param {readonly (Figures | null)[]} figures as many as there are times
 * @param {number[]} places of the figures in a sample
 * @param {number} from epoch ms of the first one to show
 * @param {number} to epoch ms
 * @returns {AlignedData} seconds, and a row for each place
 */
export function chartData(times, figures, places, from, to) {
  /** @type {number[]} */
  const seconds = [];
  /** @type {(number | null)[][]} */
  const rows = places.map(() => []);
  let last = Infinity;
  for (const [index, at] of times.entries()) {
    if (at < from || at > to) continue;
    if (at - last > GAP_MS) {
      seconds.push((last + 1) / 1000);
      for (const row of rows) row.push(null);
    }
    last = at;
    seconds.push(at / 1000);
    for (const [which, place] of places.entries())
      rows[which].push(figures[index]?.[place] ?? null);
  }
  return [seconds, ...rows];
}

/**
 * @typedef {object} Mark
 * @property {number} from epoch ms
 * @property {number} to epoch ms; the same: a line
 * @property {'band' | 'good' | 'warn' | 'bad' | 'plain'} look
 * @property {string} text
 */

/** What takes a while; a job is its runs. */
const SPANS = ['reload', 'restart', 'start', 'stop', 'scale', 'configure', 'update', 'job'];
const BEGINNINGS = ['begun', 'started'];
const OF_WORKERS = ['exited', 'errored', 'unresponsive', 'unhealthy', 'replacing', 'event'];

/**
 * What is marked on the time line of the charts: reloads, other commands and runs as bands, crashes as lines. Pure.
 * @param {LineEvent[]} events the oldest first; of other apps too
 * @param {string} app
 * @param {number} now epoch ms: the end of what has not ended
 * @returns {Mark[]}
 */
export function marksOf(events, app, now) {
  /** @type {Mark[]} */
  const marks = [];
  /** @type {Map<string, Mark>} */
  const open = new Map();
  for (const event of events) {
    if (!('app' in event) || event.app !== app) continue;
    const [subject, change] = event.type.split('.');
    const { at, text } = event;
    if (SPANS.includes(subject) && BEGINNINGS.includes(change)) {
      const mark = /** @type {Mark} */ ({ from: at, to: now, look: 'band', text });
      open.set(subject, mark);
      marks.push(mark);
    } else if (SPANS.includes(subject) && change === 'ended') {
      endMark(open.get(subject), event);
      open.delete(subject);
    } else if (subject !== 'worker' || OF_WORKERS.includes(change)) {
      marks.push({ from: at, to: at, look: eventTone(event) || 'plain', text });
    }
  }
  return marks;
}

/** @param {Mark | undefined} mark @param {LineEvent} event */
function endMark(mark, event) {
  if (!mark) return;
  mark.to = event.at;
  mark.text = event.text;
  if ('ok' in event && !event.ok) mark.look = 'bad';
}
