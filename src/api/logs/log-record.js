/** A line of a log as `logs --json` prints it and as programs get it. */

/**
 * @import { LogRecord } from '../../protocol/shapes.js'
 * @import { Entry } from './log-source.js'
 */

/** @param {Entry} entry @returns {LogRecord} */
export function recordOf({ time, app, worker, stream, message, goesOn }) {
  const record = { time: isoTime(time), app, worker, stream, message };
  return goesOn ? { ...record, goesOn } : record;
}

/** @param {number | null} time epoch ms */
export function isoTime(time) {
  return time === null ? null : new Date(time).toISOString();
}
