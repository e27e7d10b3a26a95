/** Lines of logs as they are read on a terminal and the page: records of JSON as text. Pure. */
import { readRecord } from '../lifecycle/log-record.js';
import { shortText, valueText } from '../shared/quoting.js';

/**
 * @import { JsonRecord, Level } from '../lifecycle/log-record.js'
 * @import { Paint } from './paint.js'
 *
 * @typedef {object} Readable what a record says, as text
 * @property {number | null} time epoch ms
 * @property {Level | null} level
 * @property {string} message may have several lines
 * @property {string} written the line as it is in the log
 */

/** Characters of one value: requests have all their headers. A string may be a query, or a URL to copy. */
const MAX_VALUE = 80;
const MAX_STRING = 300;
/** Less than this is in seconds, as zap writes it. */
const MAX_SECONDS = 1e11;

/**
 * @template {{time: number | null, message: string}} T
 * @param {T} entry a line of a log
 * @returns {T & Partial<Readable>} one that is no record, unchanged
 */
export function readable(entry) {
  const { message: written } = entry;
  const record = readRecord(written);
  if (record === null) return entry;
  const { level } = record;
  try {
    const time = entry.time ?? epochOf(record.time);
    // A spread is ten times slower, and logs have millions of lines.
    return Object.assign({}, entry, { time, level, message: textOf(record), written });
  } catch {
    return entry; // nested too deeply
  }
}

/** @param {JsonRecord} record */
function textOf({ level, lines: [first, ...rest], fields }) {
  const pairs = fields.map(([key, value]) => `${valueText(key)}=${shortValue(value)}`);
  const head = [level?.toUpperCase().padEnd(5), first, ...pairs].filter(Boolean).join(' ');
  return [head, ...rest].join('\n');
}

/** @param {unknown} value @returns {string} of a string that is quoted, with both quotes */
function shortValue(value) {
  if (typeof value === 'string') return valueText(shortText(value, MAX_STRING));
  return shortText(valueText(value), MAX_VALUE);
}

/** @param {string | number | null} time @returns {number | null} epoch ms; null: unknown */
function epochOf(time) {
  const isSeconds = typeof time === 'number' && time < MAX_SECONDS;
  const epoch = new Date(isSeconds ? time * 1000 : (time ?? NaN)).getTime();
  return Number.isNaN(epoch) ? null : epoch;
}

/** @type {Partial<Record<Level, keyof Paint>>} */
const COLOURS = { warn: 'yellow', error: 'red', fatal: 'red' };

/** @param {Level | null | undefined} level @param {Paint} paint @param {string} text */
export function paintLevel(level, paint, text) {
  const style = level && COLOURS[level];
  return style ? paint[style](text) : text;
}
