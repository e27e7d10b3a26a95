/** The daemon's own log for people: time, level, event, worker, and the rest as key=value. */
import { messageText } from './log-entry.js';
import { paint } from './palette.js';
import { wrapText } from './wrap.js';

/** @typedef {import('../logs/log-source.js').Entry} Entry */

/** @type {Record<string, 'yellow' | 'red'>} */
const LEVELS = { warn: 'yellow', error: 'red' };

/**
 * @param {string} line of daemon.log: an object, or what the process itself said
 * @returns {Entry} its message is what is looked through
 */
export function readDaemonLine(line) {
  const nobody = { app: null, worker: null, stream: null, goesOn: false };
  const record = objectIn(line);
  if (record === null) return { ...nobody, time: null, message: line };
  const time = Date.parse(String(record.time));
  const message = wordsOf(record).join(' ');
  return { ...nobody, time: Number.isNaN(time) ? null : time, message, record };
}

/** @param {string} line */
function objectIn(line) {
  try {
    const value = JSON.parse(line);
    return typeof value?.event === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** @param {Record<string, unknown>} record @returns {[string, string]} what happened, and the rest */
function wordsOf({ time: _time, level: _level, daemon: _daemon, event, app, slot, ...rest }) {
  const worker = slot === undefined || slot === null ? app : `${app}:${slot}`;
  // Of what says nothing there is null, '' and the empty list.
  const pairs = Object.entries(rest).filter(([, value]) => String(value ?? '') !== '');
  const facts = pairs.map(([key, value]) => `${key}=${valueText(value)}`);
  return [String(event), [...(worker ? [worker] : []), ...facts].join(' ')];
}

/** @param {unknown} value */
function valueText(value) {
  const isPlain = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/**
 * @param {Entry} entry
 * @param {import('./palette.js').Terminal} terminal
 * @returns {string} a line, without its end, broken between words where the terminal is narrow
 */
export function renderDaemonEntry({ time, message, record }, terminal) {
  const text = (/** @type {string} */ words) => messageText(words, terminal);
  if (!record) return text(message);
  const { dim, bold, reset } = paint(terminal);
  const dress = paint(terminal)[LEVELS[String(record.level)]] ?? reset;
  const level = dress(text(String(record.level)).padEnd(5));
  const [event, rest] = wordsOf(record);
  const when = time === null ? '-' : new Date(time).toISOString();
  const line = [dim(when), level, bold(text(event)), text(rest)].join(' ').trimEnd();
  return wrapText(line, terminal.width);
}
