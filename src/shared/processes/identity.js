/** Pids are reused, so the start time and the boot id are part of an identity: from /proc on Linux, from ps on macOS. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { attempt } from '../../errors/error.js';

/** @import { ProcessIdentity } from './records.js' */

/** @type {string | undefined} */
let knownBootId;

/**
 * Null if no such process runs (a zombie does not count), or if it cannot be inspected.
 * @param {number} pid
 */
export function identify(pid) {
  const startTime = startTimeOf(pid);
  knownBootId ??= readBootId();
  if (typeof startTime !== 'string' || knownBootId === undefined) return null;
  return { pid, startTime, bootId: knownBootId };
}

/** @param {ProcessIdentity} identity @returns whether it certainly runs, so it may be signalled */
export function isCertain(identity) {
  return isRunning(identity) === true;
}

/**
 * For deciding whether to start another one: what cannot be inspected (EMFILE, EIO) is alive while its pid is in use.
 * @param {ProcessIdentity} identity
 */
export function isAlive(identity) {
  return isRunning(identity) ?? exists(identity.pid);
}

/** @param {ProcessIdentity} identity @returns {boolean | undefined} undefined: it is unknown */
function isRunning({ pid, startTime, bootId, uid }) {
  const current = startTimeOf(pid);
  if (current === undefined) return undefined;
  if (current !== startTime) return false;
  knownBootId ??= readBootId();
  if (knownBootId === undefined) return undefined;
  if (knownBootId !== bootId || uid === undefined) return knownBootId === bootId;
  // Whether that user could signal it too.
  const users = attempt(() => usersOf(pid), undefined);
  return users && users.length > 0 && users.every((each) => each === uid);
}

/** proc(5): the real, effective, saved and file system uid. @param {number} pid */
function usersOf(pid) {
  if (process.platform !== 'linux') return readPs('uid=,ruid=', pid).split(/\s+/).map(Number);
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return /^Uid:\s+(.*)$/m.exec(status)?.[1].split(/\s+/).map(Number) ?? [];
}

/** @param {number} pid */
function exists(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
  }
}

/** @param {number} pid @returns {string | null | undefined} null: no such process runs; undefined: it is unknown */
function startTimeOf(pid) {
  if (!Number.isSafeInteger(pid) || pid < 1) return null;
  const isLinux = process.platform === 'linux';
  try {
    return isLinux ? startTimeOnLinux(pid) : startTimeFromPs(pid);
  } catch (error) {
    const { status } = /** @type {{status?: number}} */ (error);
    return (isLinux ? isGone(error) : status === 1) ? null : undefined;
  }
}

/**
 * proc(5): the name in parentheses may contain anything, so fields are counted from the last ')'. The first one is field 3,
 * the state.
 * @param {number} pid
 */
export function statFields(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/**
 * Field 20 is the number of threads, field 22 the start time in clock ticks since boot. A killed process is a zombie before
 * its last thread has closed its sockets.
 * @param {number} pid
 */
function startTimeOnLinux(pid) {
  const fields = statFields(pid);
  const [state] = fields;
  const hasExited = state === 'X' || (state === 'Z' && Number(fields[17]) <= 1);
  return hasExited ? null : fields[19];
}

/** @param {number} pid */
function startTimeFromPs(pid) {
  const text = readPs('stat=,lstart=', pid);
  const [state, ...startTime] = text.split(/\s+/);
  return text === '' || state.startsWith('Z') ? null : startTime.join(' ');
}

/** @param {string} columns without headers @param {number} pid @throws {Error} `status` 1: no such process runs */
export function readPs(columns, pid) {
  return execFileSync('/bin/ps', ['-o', columns, '-p', String(pid)], {
    encoding: 'utf8',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** proc(5): a read of what has just exited fails with ESRCH. @param {unknown} error */
export function isGone(error) {
  return ['ENOENT', 'ESRCH'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '');
}

/** @returns {string | undefined} undefined: it cannot be read at the moment */
function readBootId() {
  return attempt(() => {
    if (process.platform === 'linux') {
      return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    }
    const text = execFileSync('/usr/sbin/sysctl', ['-n', 'kern.boottime'], { encoding: 'utf8' });
    return /sec = (\d+)/.exec(text)?.[1] ?? text.trim();
  }, undefined);
}
