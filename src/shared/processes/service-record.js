/**
 * The file `service.json` in a home directory: an init system runs its daemon, and starts the next
 * one when it exits. Others leave that to it for a while, so that they do not race it.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readSmallFile } from '../small-file.js';
import { identify, isAlive } from './identity.js';

/**
 * ms that commands wait for the daemon of the init system. systemd starts it 1 s after an exit, and
 * it listens 0.2 s later.
 */
export const SERVICE_RESTART_MS = 4000;

/** Bytes; the record has about 100. */
const MAX_BYTES = 1024;

/**
 * @param {string} file
 * @param {boolean} isService whether the init system runs this process
 */
export function recordService(file, isService) {
  if (isService) writeFileSync(file, JSON.stringify(identify(process.pid)), { mode: 0o600 });
  else rmSync(file, { force: true });
}

/**
 * @param {string} file
 * @returns {boolean} whether an init system starts the daemon of the home
 */
export function hasService(file) {
  return existsSync(file);
}

/**
 * @param {string} file
 * @returns {number | null} the pid of the daemon that the init system runs now
 */
export function servicePid(file) {
  try {
    const identity = JSON.parse(readSmallFile(file, MAX_BYTES));
    return isAlive(identity) ? identity.pid : null;
  } catch {
    return null;
  }
}
