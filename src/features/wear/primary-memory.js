/** How much memory processes use, whatever runs in them, and whether their event loops turn or not. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * @param {readonly number[]} pids
 * @returns {Promise<Map<number, number>>} bytes of RSS, of those that are known; never rejects
 */
export async function memoryOf(pids) {
  if (pids.length === 0) return new Map();
  const sizes =
    process.platform === 'linux' ? Promise.all(pids.map(sizeOnLinux)) : sizesFromPs(pids);
  return new Map((await sizes.catch(() => [])).flatMap((size) => (size === null ? [] : [size])));
}

/** proc(5) @param {number} pid @returns {Promise<[pid: number, bytes: number] | null>} */
async function sizeOnLinux(pid) {
  const text = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(text) ?? [];
  return kilobytes === undefined ? null : [pid, Number(kilobytes) * 1024];
}

/** @param {readonly number[]} pids @returns {Promise<[pid: number, bytes: number][]>} */
async function sizesFromPs(pids) {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'pid=,rss=', '-p', pids.join()]);
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  return rows.map(([pid, kilobytes]) => [pid, kilobytes * 1024]);
}
