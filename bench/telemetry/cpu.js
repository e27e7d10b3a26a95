/** The CPU time of processes, in nanoseconds where the kernel provides them. Linux only. */
import { readFileSync, readdirSync } from 'node:fs';

/** @param {number} pid @returns {number} CPU time of all its threads so far, in milliseconds */
export function cpuMs(pid) {
  const times = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  });
  return times.reduce((sum, time) => sum + time, 0);
}
