/** Finds the process to kill, and the processes of a home that nobody knows. */
import { runningPrimaries, workersIn } from '../../../src/shared/processes/primary-record.js';
import { homePaths } from '../../../src/shared/home.js';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { commandOf, isRunning, processesOf } from '../../../test/support/processes.js';
import { until } from '../../../test/support/until.js';

/** @import { Home } from '../../../test/support/home.js' */

/**
 * @typedef {'command' | 'daemon' | 'old daemon' | 'new daemon' | 'primary' | 'old primary' |
 *   'new primary' | 'old worker' | 'new worker'} Victim
 *
 * @typedef {object} Known the pids before the command
 * @property {number} command its own
 * @property {number | null} daemon
 * @property {number | null} primary
 * @property {number[]} workers
 */

/** @type {readonly Victim[]} of an operation that replaces neither daemon nor primary */
export const VICTIMS = ['command', 'daemon', 'primary', 'old worker', 'new worker'];

const TITLES = {
  daemon: /nodecluster: daemon|daemon\/main\.js/,
  primary: /nodecluster: api|primary\/main\.js/,
  worker: /http-pid\.cjs/,
};

/**
 * @param {Victim} victim
 * @param {Home} home
 * @param {Known} known
 * @returns {number | null} its pid; null: there is none at the moment
 */
export function find(victim, { home, root }, { command, daemon, primary, workers }) {
  const running = (/** @type {(number | null)[]} */ pids) =>
    pids.find((pid) => pid !== null && isRunning(pid)) ?? null;
  const others = (/** @type {keyof typeof TITLES} */ kind, /** @type {(number | null)[]} */ old) =>
    processesOf(root).find((pid) => !old.includes(pid) && TITLES[kind].test(commandOf(pid))) ??
    null;
  const found = {
    command: () => running([command]),
    daemon: () => daemonPid(home),
    'old daemon': () => running([daemon]),
    'new daemon': () => others('daemon', [daemon]),
    primary: () => primaryOf(home),
    'old primary': () => running([primary]),
    'new primary': () => others('primary', [primary]),
    'old worker': () => running(workers),
    'new worker': () => others('worker', workers),
  };
  return found[victim]();
}

/** @param {number} pid @returns {Promise<number>} when it had exited, epoch in ms */
export async function kill(pid) {
  process.kill(pid, 'SIGKILL');
  await until(() => !isRunning(pid), `${pid} to exit`);
  return Date.now();
}

/** @param {string} home @returns {number | null} */
export function primaryOf(home) {
  try {
    const running = runningPrimaries(homePaths(home));
    return running.find((record) => record && workersIn(record).has('api'))?.pid ?? null;
  } catch {
    return null;
  }
}

/** @param {Home} home @param {number[]} known @returns {string[]} the other processes of the home */
export function unknownProcesses({ root }, known) {
  return processesOf(root)
    .filter((pid) => !known.includes(pid) && isRunning(pid))
    .map((pid) => `${pid} ${commandOf(pid)}`);
}
