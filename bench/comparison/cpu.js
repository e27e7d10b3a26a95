/** The CPU time of all processes of a candidate: supervisor, workers and what they started. Linux only. */
import { readFileSync } from 'node:fs';
import { processesOf } from '../../test/support/processes.js';

/** The unit of /proc/<pid>/stat, which Linux fixes at 100 a second for programs. */
const TICK_MS = 10;

/** @param {string} root of the candidate @returns {number} user and system time so far, in milliseconds */
export function cpuMs(root) {
  return cpuMsOf(processesOf(root));
}

/** @param {number[]} pids @returns {number} */
export function cpuMsOf(pids) {
  return pids.reduce((sum, pid) => sum + ticksOf(pid) * TICK_MS, 0);
}

/** @param {number} pid @returns {number} with those of the children that have exited */
function ticksOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0; // it has exited
  }
}
