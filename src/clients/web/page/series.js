/** The lines of the charts, and the marks on them. */
import { formatClock } from '../../../show/quantity.js';
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
 * @param {AlignedData} data of a chart
 * @param {{isWaiting: boolean, data: AlignedData}} [counted] how many requests were answered; isWaiting: one is open
 * @returns {string} why there is nothing to see in it; empty: there is something
 */
export function emptyText([, ...rows], counted) {
  const values = rows.flatMap((row) => [...row]);
  if (values.some((value) => value)) return '';
  const counts = (counted?.data[1] ?? []).filter((value) => value !== null);
  const isZero = counts.length > 0 && counts.every((value) => value === 0);
  if (isZero) return `${counted?.isWaiting ? 'no request answered' : 'no requests'} in this time`;
  return values.every((value) => value === null) ? 'not measured in this time' : '';
}

/**
 * @typedef {object} Mark
 * @property {number} from epoch ms
 * @property {number} to epoch ms; the same: a line
 * @property {'band' | 'good' | 'warn' | 'bad' | 'plain'} look
 * @property {string} text
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
/** These say more than the beginning. */
const OUTCOMES = ['ended', 'responsive'];
const OF_WORKERS = ['exited', 'errored', 'unhealthy', 'replacing', 'event'];
/** As many crashes are a loop, if each follows the one before within this time. */
const LOOP_CRASHES = 3;
const LOOP_GAP_MS = 120_000;

/**
 * What is marked on the time line of the charts: reloads, other commands, runs, blocked workers and crash loops as bands,
 * single crashes as lines. Pure.
 * @param {LineEvent[]} events the oldest first; of other apps too
 * @param {string} app
 * @param {number} now epoch ms: the end of what has not ended
 * @returns {Mark[]}
 */
export function marksOf(events, app, now) {
  /** @type {Mark[]} */
  const marks = [];
  /** @type {Crash[]} */
  const crashes = [];
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
    const { since = event.at, earlier = 0 } = event;
    if (event.type === 'worker.exited') crashes.push({ ...mark, from: since, count: 1 + earlier });
    else marks.push(mark);
  }
  return [...marks, ...crashLoops(crashes)].sort((one, other) => one.from - other.from);
}

/** @param {Pick<Mark, 'from' | 'to'>} mark @param {number} now epoch ms @returns {string} `14:03:21`, `14:03:21–14:03:40` */
export function whenText({ from, to }, now) {
  const [first, last] = [from, to].map(formatClock);
  if (first === last) return first;
  return to < now ? `${first}–${last}` : `since ${first}`;
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

/** With those that are not kept any more. @typedef {Mark & {count: number}} Crash */

/** @param {Crash[]} crashes the oldest first @returns {Mark[]} with one band for each loop */
function crashLoops(crashes) {
  /** @type {Crash[][]} */
  const runs = [];
  for (const crash of crashes) {
    const last = runs.at(-1);
    if (last && crash.from - last[last.length - 1].to <= LOOP_GAP_MS) last.push(crash);
    else runs.push([crash]);
  }
  return runs.flatMap((run) => {
    const count = run.reduce((sum, crash) => sum + crash.count, 0);
    const all = run.map(({ count: _, ...mark }) => mark);
    const last = all[all.length - 1];
    const text = `${count} crashes: ${last.text}`;
    const from = Math.min(...all.map((mark) => mark.from));
    return count < LOOP_CRASHES ? all : [{ ...last, from, text }];
  });
}

/** @param {Mark | undefined} mark @param {LineEvent} event @param {string} change */
function endMark(mark, event, change) {
  if (!mark) return;
  mark.to = event.at;
  if (OUTCOMES.includes(change)) mark.text = event.text;
  if ('ok' in event && !event.ok) mark.look = 'bad';
}
