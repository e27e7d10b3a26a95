/**
 * The processes below a worker. They are identified while the worker runs: later they are orphans,
 * which are no longer below it, and a pid alone may belong to another process.
 */
import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { poll } from '../../shared/deadline.js';
import { identify, isAlive, isCertain } from '../../shared/processes/identity.js';
import { sendSignal } from '../../shared/processes/signal.js';

/** @import { ProcessIdentity } from '../../shared/processes/identity.js' */

/** A fork bomb must not occupy the primary. */
const MAX_TREE = 1000;
/** The longest wait for killed processes to exit; one may hang in the kernel. */
const DEATH_TIMEOUT_MS = 2000;
const POLL_MS = 5;

/** @param {number} pid @returns every process below it, at most `MAX_TREE` */
export async function descendantsOf(pid) {
  const childrenOf = process.platform === 'linux' ? childrenOnLinux : await childrenFromPs();
  /** @type {number[]} */
  const found = [];
  const queue = [pid];
  while (queue.length > 0 && found.length < MAX_TREE) {
    const children = await childrenOf(/** @type {number} */ (queue.shift()));
    found.push(...children);
    queue.push(...children);
  }
  return found.map((child) => identify(child)).filter((identity) => identity !== null);
}

/**
 * @param {readonly ProcessIdentity[]} processes
 * @returns {number} how many still existed and got SIGKILL
 */
export function killProcesses(processes) {
  const kill = (/** @type {ProcessIdentity} */ identity) =>
    isCertain(identity) && sendSignal(identity.pid, 'SIGKILL');
  return processes.filter(kill).length;
}

/**
 * A killed process may still exist when its environment can no longer be read.
 * @param {readonly ProcessIdentity[]} killed
 * @returns {Promise<void>} when none of them is left, or DEATH_TIMEOUT_MS later
 */
export async function untilDead(killed) {
  const timeoutMs = DEATH_TIMEOUT_MS;
  await poll(() => !killed.some(isAlive), { timeoutMs, everyMs: POLL_MS });
}

/**
 * proc(5): every thread lists the children that it has forked.
 * @param {number} pid
 * @returns {Promise<number[]>}
 */
async function childrenOnLinux(pid) {
  try {
    const threads = await readdir(`/proc/${pid}/task`);
    const lists = await Promise.all(
      threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8')),
    );
    return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

/** @returns {Promise<(pid: number) => number[]>} looks up children in one list of processes */
async function childrenFromPs() {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-axo', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  return (parent) => rows.filter(([, ppid]) => ppid === parent).map(([pid]) => pid);
}
