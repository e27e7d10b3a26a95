/** What a process uses, from /proc. Linux only. */
import { readFileSync } from 'node:fs';

/** The unit of /proc/<pid>/stat, which Linux fixes at 100 a second for programs. */
const TICK_MS = 10;

/**
 * @param {number | 'self'} pid
 * @returns {{own: number, children: number}} user and system time so far, in milliseconds; children: that have exited
 */
export function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
  return { own: (user + system) * TICK_MS, children: (childrenUser + childrenSystem) * TICK_MS };
}

/** @param {number} pid @returns {number} memory that it shares with no other process */
export function privateMegabytes(pid) {
  return megabytesOf(pid, /^Private_(?:Clean|Dirty):\s+(\d+) kB/gm);
}

/** @param {number} pid @returns {number} its memory, of what it shares its part */
export function proportionalMegabytes(pid) {
  return megabytesOf(pid, /^Pss:\s+(\d+) kB/gm);
}

/** @param {number} pid @param {RegExp} lines of smaps_rollup that count */
function megabytesOf(pid, lines) {
  const rows = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(lines);
  return [...rows].reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) / 1024;
}
