/** daemon.log: what the daemon decided, and why; one JSON object a line. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { listRotated, rotatedPath } from '../shared/log-files/rotated-files.js';

/** Bytes; a longer file is set aside under the next number. */
const MAX_LOG = 4 * 1024 * 1024;
/** Files that are kept of those set aside. */
const KEPT = 4;
/** Characters of one line: what others sent may be long. */
const MAX_LINE = 16 * 1024;

/** @typedef {(event: string, fields?: Record<string, unknown>) => void} Tell */
/**
 * @typedef {object} Log none of it throws: a full disk must not stop the daemon
 * @property {Tell} info
 * @property {Tell} warn
 * @property {Tell} error
 * @property {(fields: Record<string, unknown>) => Log} of the same log, with these in every line
 */

/**
 * @param {string} file
 * @param {{maxBytes?: number, keep?: number}} [limits]
 * @returns {Log}
 */
export function openLog(file, { maxBytes = MAX_LOG, keep = KEPT } = {}) {
  const append = appender(file, maxBytes, keep);
  return logWith({});

  /**
   * @param {Record<string, unknown>} common
   * @returns {Log}
   */
  function logWith(common) {
    /** @param {string} level @returns {Tell} */
    const tell = (level) => (event, fields) =>
      append({
        time: new Date().toISOString(),
        level,
        event,
        daemon: process.pid,
        ...common,
        ...fields,
      });
    return {
      info: tell('info'),
      warn: tell('warn'),
      error: tell('error'),
      of: (fields) => logWith({ ...common, ...fields }),
    };
  }
}

/**
 * @param {string} file
 * @param {number} maxBytes
 * @param {number} keep
 * @returns {(entry: Record<string, unknown>) => void}
 */
function appender(file, maxBytes, keep) {
  let lost = 0;
  let isRotating = false;
  return (entry) => {
    try {
      appendFileSync(file, (lost > 0 ? lossOf(entry, lost) : '') + lineOf(entry), { mode: 0o600 });
      lost = 0;
      if (isRotating || statSync(file).size <= maxBytes) return;
      isRotating = true;
      rotate(file, keep)
        .catch(() => {}) // then the next line tries again
        .finally(() => (isRotating = false));
    } catch {
      lost += 1;
    }
  };
}

/**
 * @param {Record<string, unknown>} entry the first that can be written again
 * @param {number} lines that could not
 * @returns {string} begins with a line end: the last of them may have been written in part
 */
function lossOf({ time, daemon }, lines) {
  return `\n${lineOf({ time, level: 'warn', event: 'log.lost', daemon, lines })}`;
}

/** @param {Record<string, unknown>} entry */
function lineOf(entry) {
  const text = JSON.stringify(entry);
  if (text.length <= MAX_LINE) return `${text}\n`;
  const { time, level, event, daemon, app } = entry;
  return `${JSON.stringify({ time, level, event, daemon, app, cut: text.slice(0, MAX_LINE) })}\n`;
}

/**
 * @param {string} file
 * @param {number} keep
 */
async function rotate(file, keep) {
  const aside = await listRotated(file);
  renameSync(file, rotatedPath(file, (aside.at(-1)?.number ?? 0) + 1));
  const surplus = aside.slice(0, Math.max(0, aside.length + 1 - keep));
  await Promise.all(surplus.map(({ path }) => rm(path, { force: true })));
}
