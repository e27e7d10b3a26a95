/**
 * The file `service.json` in a home directory: an init system runs its daemon, and starts the next one. Others leave that
 * to it for a while.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { readSmallFile } from '../files/small-file.js';
import { identify, isAlive } from './identity.js';

/** ms that commands wait for it: systemd starts it 1 s after an exit, and it listens 0.2 s later. */
export const SERVICE_RESTART_MS = 4000;

const MAX_BYTES = 16 * 1024;

/**
 * @typedef {{pid: number, command: [node: string, cli: string] | null}} ServiceRecord of the daemon that it runs now, and
 *   what it starts
 */

/** @param {string} file @param {boolean} isService whether the init system runs this process */
export function recordService(file, isService) {
  const record = { ...identify(process.pid), command: [process.execPath, process.argv[1]] };
  if (isService) writeFileSync(file, JSON.stringify(record), { mode: 0o600 });
  else rmSync(file, { force: true });
}

/** @param {string} file @returns {boolean} whether an init system starts the daemon of the home */
export function hasService(file) {
  return existsSync(file);
}

/** @param {string} file @returns {ServiceRecord | null} null: the init system runs no daemon now */
export function readService(file) {
  try {
    const { command, ...identity } = JSON.parse(readSmallFile(file, MAX_BYTES));
    if (!isAlive(identity)) return null;
    const isCommand = Array.isArray(command) && command.every((word) => typeof word === 'string');
    return { pid: identity.pid, command: isCommand ? [command[0], command[1]] : null };
  } catch {
    return null;
  }
}
