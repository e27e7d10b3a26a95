/**
 * Finds the processes that a worker has started wherever they are by now: a daemon that has forked
 * twice is below nobody that could be asked. What it keeps is the environment that it was started
 * with, and in it the worker's mark, unless the program has cleared its environment.
 */
import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { identify } from '../../shared/process-identity.js';

/** @import { ProcessIdentity } from '../../shared/process-identity.js' */

/** The variable that holds the mark. */
export const MARK_VAR = 'NODECLUSTER_WORKER';

/**
 * @param {(mark: string) => boolean} isMeant
 * @returns {Promise<ProcessIdentity[]>} those whose environment may be read, so never strangers'
 */
export async function markedProcesses(isMeant) {
  const find = process.platform === 'linux' ? findOnLinux : findWithPs;
  return find(isMeant);
}

/** How many environments are read at a time: the primary has other work for its threads. */
const AT_A_TIME = 16;
/** Environments of others' making are not searched for ever; Linux allows 6 MiB of them. */
const MAX_BYTES = 2 ** 21;

/** @param {(mark: string) => boolean} isMeant */
async function findOnLinux(isMeant) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  /** @type {(ProcessIdentity | null)[]} */
  const found = [];
  for (let at = 0; at < pids.length; at += AT_A_TIME) {
    const some = pids.slice(at, at + AT_A_TIME);
    found.push(...(await Promise.all(some.map((pid) => identifyMarked(pid, isMeant)))));
  }
  return found.filter((identity) => identity !== null);
}

/**
 * @param {number} pid
 * @param {(mark: string) => boolean} isMeant
 */
async function identifyMarked(pid, isMeant) {
  const hasMark = async () => isMeant(markIn(await environmentOf(pid)));
  if (pid === process.pid || !(await hasMark())) return null;
  const identity = identify(pid);
  // Looked at again: between the two another process may have come to that pid.
  return (await hasMark()) ? identity : null;
}

/**
 * proc(5): NAME=value, each with a zero byte at its end. Empty for a zombie and a kernel thread.
 * @param {number} pid
 */
async function environmentOf(pid) {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1');
    return environment.slice(0, MAX_BYTES);
  } catch {
    return '';
  }
}

/** @param {string} environment */
function markIn(environment) {
  const prefix = `${MARK_VAR}=`;
  const start = environment.startsWith(prefix) ? 0 : environment.indexOf(`\0${prefix}`) + 1;
  if (start === 0 && !environment.startsWith(prefix)) return '';
  const end = environment.indexOf('\0', start);
  return environment.slice(start + prefix.length, end === -1 ? undefined : end);
}

/**
 * Best effort: macOS shows the environment of most, but not of its own programs.
 * @param {(mark: string) => boolean} isMeant
 */
async function findWithPs(isMeant) {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-axEww', '-o', 'pid=,command='], {
    maxBuffer: 2 ** 26,
  });
  const rows = stdout.split('\n').map((row) => ({
    pid: Number(/^\s*(\d+)/.exec(row)?.[1]),
    mark: new RegExp(` ${MARK_VAR}=(\\S+)`).exec(row)?.[1] ?? '',
  }));
  const marked = rows.filter(({ pid, mark }) => pid !== process.pid && isMeant(mark));
  return marked.map(({ pid }) => identify(pid)).filter((identity) => identity !== null);
}
