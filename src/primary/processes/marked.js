/**
 * Finds processes by the mark in their environment: a process that has forked twice to become a
 * daemon is no longer below its worker, but keeps the environment that it was started with.
 */
import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { identify } from '../../shared/processes/identity.js';

/** @import { ProcessIdentity } from '../../shared/processes/records.js' */

export const MARK_VAR = 'NODECLUSTER_WORKER';
/** Environments read at a time: the primary needs its threads for other work. */
const BATCH = 16;
/** Of this process, or of the system: they say nothing about the process that is looked at. */
const SHORTAGES = ['EMFILE', 'ENFILE', 'ENOMEM'];
/** How much of an environment is searched; Linux allows 6 MiB. */
const MAX_BYTES = 2 ** 21;

/**
 * @param {(mark: string) => boolean} matches
 * @returns {Promise<ProcessIdentity[]>} only those whose environment this process may read
 * @throws {Error} it is not known which
 */
export async function markedProcesses(matches) {
  return process.platform === 'linux' ? findOnLinux(matches) : findWithPs(matches);
}

/** @param {(mark: string) => boolean} matches */
async function findOnLinux(matches) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  /** @type {(ProcessIdentity | null)[]} */
  const found = [];
  for (let at = 0; at < pids.length; at += BATCH) {
    const batch = pids.slice(at, at + BATCH);
    found.push(...(await Promise.all(batch.map((pid) => identifyMarked(pid, matches)))));
  }
  return found.filter((identity) => identity !== null);
}

/** @param {number} pid @param {(mark: string) => boolean} matches */
async function identifyMarked(pid, matches) {
  const hasMark = async () => matches(markIn(await environmentOf(pid)));
  if (pid === process.pid || !(await hasMark())) return null;
  const identity = identify(pid);
  // Checked again: the pid may belong to another process by now.
  return (await hasMark()) ? identity : null;
}

/**
 * proc(5): NAME=value, each followed by a zero byte. Empty for a zombie and a kernel thread.
 * @param {number} pid
 */
async function environmentOf(pid) {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1');
    return environment.slice(0, MAX_BYTES);
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (SHORTAGES.includes(code)) throw error;
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
 * Best effort: macOS shows the environment of most programs, but not of those it ships.
 * @param {(mark: string) => boolean} matches
 */
async function findWithPs(matches) {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-axEww', '-o', 'pid=,command='], {
    maxBuffer: 2 ** 26,
  });
  const rows = stdout.split('\n').map((row) => ({
    pid: Number(/^\s*(\d+)/.exec(row)?.[1]),
    mark: new RegExp(` ${MARK_VAR}=(\\S+)`).exec(row)?.[1] ?? '',
  }));
  const marked = rows.filter(({ pid, mark }) => pid !== process.pid && matches(mark));
  return marked.map(({ pid }) => identify(pid)).filter((identity) => identity !== null);
}
