/**
 * The processes below a worker. Their identities are taken while the worker lives, since orphans
 * are no longer below it; a pid alone would not do, for it may belong to a stranger by then.
 */
import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { identify, isAlive, isCertain } from '../../shared/process-identity.js';

/** @import { ProcessIdentity } from '../../shared/process-identity.js' */

/**
 * @param {number} pid
 * @returns {Promise<ProcessIdentity[]>} every process below it, at most `MAX_TREE`
 */
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
 * @param {readonly ProcessIdentity[]} tree
 * @returns {number} how many were still there and got SIGKILL
 */
export function killLeftovers(tree) {
  return tree.filter((identity) => isCertain(identity) && killed(identity.pid)).length;
}

/**
 * A killed process takes a moment to end: it may be there still when its environment is gone.
 * @param {readonly ProcessIdentity[]} killed
 * @returns {Promise<void>} when none of them is left; one that hangs in the kernel is not waited for
 */
export async function untilGone(killed) {
  const deadline = performance.now() + DYING_MS;
  while (killed.some(isAlive) && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
}

/** How long processes that got SIGKILL are waited for, in milliseconds. */
const DYING_MS = 2000;
/** How often it is looked whether they have gone, in milliseconds. */
const LOOK_EVERY_MS = 5;

/** A fork bomb must not occupy the primary. */
const MAX_TREE = 1000;

/** @param {number} pid */
function killed(pid) {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
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

/** @returns {Promise<(pid: number) => number[]>} from one look at all processes */
async function childrenFromPs() {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-axo', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number));
  return (parent) => rows.filter(([, ppid]) => ppid === parent).map(([pid]) => pid);
}
