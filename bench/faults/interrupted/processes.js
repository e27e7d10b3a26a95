/** Finds the process to kill, and the processes of a home that nobody knows. */
import { readFileSync } from 'node:fs';
import { homePaths } from '../../../src/shared/home.js';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { commandOf, isRunning, processesOf } from '../../../test/support/processes.js';

/** @import { Home } from '../traffic/request-load.js' */

/** @typedef {'command' | 'daemon' | 'primary' | 'old worker' | 'new worker'} Victim */

/** @type {Victim[]} */
export const victims = ['command', 'daemon', 'primary', 'old worker', 'new worker'];

/**
 * @param {Victim} victim
 * @param {Home} home
 * @param {{command: number, workers: number[]}} known the pids of the command, and of the workers
 *   before it
 * @returns {number | null} its pid; null: there is none at the moment
 */
export function find(victim, { home }, { command, workers }) {
  if (victim === 'command') return isRunning(command) ? command : null;
  if (victim === 'daemon') return daemonPid(home);
  const primary = primaryOf(home);
  if (victim === 'primary' || primary === null) return primary;
  const isOld = victim === 'old worker';
  const found = childrenOf(primary).filter((pid) => workers.includes(pid) === isOld);
  return found.find((pid) => commandOf(pid).includes('http-pid.cjs')) ?? null;
}

/** @param {string} home @returns {number | null} */
function primaryOf(home) {
  try {
    const { pid } = JSON.parse(readFileSync(homePaths(home).app('api').record, 'utf8'));
    return isRunning(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** @param {number} pid @returns {number[]} */
function childrenOf(pid) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/**
 * @param {Home} home
 * @param {number[]} known
 * @returns {string[]} the other processes of the home
 */
export function unknownProcesses({ root }, known) {
  return processesOf(root)
    .filter((pid) => !known.includes(pid) && isRunning(pid))
    .map((pid) => `${pid} ${commandOf(pid)}`);
}
