/** daemon.log: what the daemon decided, and why; one line each, with the time. */
import { appendFileSync, renameSync, statSync } from 'node:fs';

/** Bytes; a longer file is set aside, in the place of the one before. */
const MAX_LOG = 4 * 1024 * 1024;

/** @typedef {(line: string) => void} Log */

/**
 * @param {string} file
 * @param {number} [maxBytes]
 * @returns {Log} never throws: a full disk must not stop the daemon
 */
export function openLog(file, maxBytes = MAX_LOG) {
  return (line) => {
    const text = line.replaceAll('\n', '\n    ');
    try {
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > maxBytes) renameSync(file, `${file}.old`);
      appendFileSync(file, `${new Date().toISOString()} [${process.pid}] ${text}\n`, {
        mode: 0o600,
      });
    } catch {
      // There is nowhere left to say it.
    }
  };
}
