/** Lines of daemon.log: each is a JSON object, or text that Node printed. */
import { readFileSync } from 'node:fs';

/**
 * @param {string} line
 * @returns {{app: null, worker: null, stream: null, goesOn: false, time: number | null,
 *   message: string, record?: Record<string, unknown>}} in the form of a line of an app's log
 */
export function readDaemonLine(line) {
  const noSource = /** @type {const} */ ({ app: null, worker: null, stream: null, goesOn: false });
  const record = parseRecord(line);
  if (record === null) return { ...noSource, time: null, message: line };
  const time = Date.parse(String(record.time));
  const message = describeRecord(record).join(' ');
  return { ...noSource, time: Number.isNaN(time) ? null : time, message, record };
}

/** @param {string} line */
function parseRecord(line) {
  try {
    const value = JSON.parse(line);
    return typeof value?.event === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** @param {Record<string, unknown>} record @returns {[event: string, details: string]} */
export function describeRecord({
  time: _time,
  level: _level,
  daemon: _daemon,
  event,
  app,
  slot,
  ...rest
}) {
  const worker = slot === undefined || slot === null ? app : `${app}:${slot}`;
  // null, '' and empty lists say nothing.
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
 * @param {string} file
 * @param {number} count
 * @param {number} [from] bytes to skip
 * @returns {string[]} its last lines that are not empty; none if it cannot be read
 */
export function readLastLines(file, count, from = 0) {
  try {
    return readFileSync(file).subarray(from).toString().split('\n').filter(Boolean).slice(-count);
  } catch {
    return [];
  }
}
