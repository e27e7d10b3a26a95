/**
 * One directory for all temporary files of a run. It is in the environment of every process that the
 * run starts, so they can be found and killed, whatever has become of their parents.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesOf } from '../../test/support/processes.js';

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'ncb-')));
process.env.TMPDIR = directory;
process.on('exit', () => clearDirectory(directory));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

/** @returns {string} a new directory in it */
export function newDirectory() {
  return mkdtempSync(join(directory, 'b-'));
}

/** @param {string} root every process that mentions it is killed, and it is removed */
export function clearDirectory(root) {
  for (let pids = processesOf(root); pids.length > 0; pids = processesOf(root)) {
    for (const pid of pids) kill(pid);
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited in the meantime.
  }
}
