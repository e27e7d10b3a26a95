/** daemon.log: what the daemon decided, and why; one line each, with the time. */
import { appendFileSync, renameSync, statSync } from 'node:fs';

/** Bytes; a longer file is set aside when a daemon starts. */
const MAX_OLD_LOG = 4 * 1024 * 1024;

/** @typedef {(line: string) => void} Log */

/**
 * @param {string} file
 * @returns {Log} never throws: a full disk must not stop the daemon
 */
export function openLog(file) {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_OLD_LOG) {
    renameSync(file, `${file}.old`);
  }
  return (line) => {
    const text = line.replaceAll('\n', '\n    ');
    try {
      appendFileSync(file, `${new Date().toISOString()} [${process.pid}] ${text}\n`, {
        mode: 0o600,
      });
    } catch {
      // There is nowhere left to say it.
    }
  };
}
