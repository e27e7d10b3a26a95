/** daemon.log: what the daemon decided and why, one JSON object per line. */
import { appendFileSync, closeSync, fstatSync, readSync } from 'node:fs';
import { describeRecord } from '../shared/log-files/daemon-line.js';
import { openToAppend } from '../shared/files/small-file.js';
import { moveAway, prune } from '../shared/log-files/rotated-files.js';

/** Bytes; a larger file is rotated. */
const MAX_LOG = 4 * 1024 * 1024;
const MAX_ROTATED = 4;
/** Characters of one line; requests may be long. */
const MAX_LINE = 16 * 1024;

/**
 * @typedef {'info' | 'warn' | 'error'} Level
 * @typedef {Record<string, unknown>} Fields
 * @typedef {Record<string, any> & {event: string, level: Level}} Entry
 *
 * @typedef {Record<Level, (event: string, fields?: Fields) => void> & {of: (fields: Fields) => Log}} Log never throws: a full
 *   disk must not stop the daemon; of: the same log with these fields in every line
 *
 * @typedef {{lines: number, since: string, reason: string}} Lost lines that could not be written, and that the file does not
 *   say yet; since: the time of the first one
 */

/**
 * @param {string} file
 * @param {((level: 'warn' | 'error', text: string) => void) | null} [echo] gets every warning and error too
 */
export function openLog(file, echo = null) {
  const { append, lost } = appender(file);
  const log = makeLog((level, event, fields, common) => {
    const time = new Date().toISOString();
    const own = { time, level, event, daemon: process.pid, ...common };
    // Twice: they come first in the line, and a client may have chosen the names of the fields.
    const entry = { ...own, ...fields, ...own };
    append(entry);
    if (level !== 'info') echo?.(level, describeRecord(entry).join(' '));
  });
  return { ...log, lost };
}

/**
 * @param {(level: Level, event: string, fields: Fields, common: Fields) => void} write must not throw; `common`: those of
 *   every line of this log
 * @param {Fields} [common] @returns {Log}
 */
export function makeLog(write, common = {}) {
  /** @type {(level: Level) => Log[Level]} */
  const writer =
    (level) =>
    (event, fields = {}) =>
      write(level, event, fields, common);
  return {
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    of: (fields) => makeLog(write, { ...common, ...fields }),
  };
}

/** @param {string} file */
function appender(file) {
  /** @type {Lost | null} */
  let lost = null;
  let isRotating = false;
  let isFirst = true;
  return { append, lost: () => lost };

  /** @param {Fields & {time: string}} entry */
  function append(entry) {
    try {
      const { time, daemon } = entry;
      const loss = { time, level: 'warn', event: 'log.lost', daemon, ...lost };
      const lines = (lost ? lineOf(loss) : '') + lineOf(entry);
      const size = appendLines(file, lines, isFirst || lost !== null);
      lost = null;
      isFirst = false;
      if (isRotating || size <= MAX_LOG) return;
      isRotating = true;
      moveAway(file)
        .then(() => prune(file, MAX_ROTATED))
        .catch(() => {}) // the next line tries again
        .finally(() => (isRotating = false));
    } catch (error) {
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
      const { lines = 0, since = entry.time } = lost ?? {};
      lost = { lines: lines + 1, since, reason: code ?? message };
    }
  }
}

/** @param {string} file @param {string} lines @param {boolean} mayBeCut the last line there @returns {number} bytes of the file */
function appendLines(file, lines, mayBeCut) {
  const descriptor = openToAppend(file);
  try {
    const isCut = mayBeCut && endsWithinLine(descriptor);
    appendFileSync(descriptor, isCut ? `\n${lines}` : lines);
    return fstatSync(descriptor).size;
  } finally {
    closeSync(descriptor);
  }
}

/** Whether the last one to write was killed, or found no space. @param {number} descriptor */
function endsWithinLine(descriptor) {
  const { size } = fstatSync(descriptor);
  if (size === 0) return false; // also a device
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last.toString() !== '\n';
}

/** @param {Fields} entry */
function lineOf(entry) {
  const text = JSON.stringify(entry);
  if (text.length <= MAX_LINE) return `${text}\n`;
  const { time, level, event, daemon, app } = entry;
  return `${JSON.stringify({ time, level, event, daemon, app, cut: text.slice(0, MAX_LINE) })}\n`;
}

/** @param {Log} log @param {string} event that says so @param {() => void} exit */
export function exitOnBug(log, event, exit) {
  for (const because of /** @type {const} */ (['uncaughtException', 'unhandledRejection'])) {
    process.on(because, (error) => {
      log.error(event, { because, stack: String(error?.stack ?? error) });
      exit();
    });
  }
}
