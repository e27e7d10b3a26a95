/**
 * Who a process is. A pid alone says little, since pids are used again: the time of its start and
 * the boot of the machine make it unique. Linux reads /proc, macOS asks ps: this is the one door.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * @typedef {object} ProcessIdentity
 * @property {number} pid
 * @property {string} startTime opaque: equal for the same process only
 * @property {string} bootId opaque: equal until the machine starts again
 */

/** @type {string | undefined} */
let knownBootId;

/**
 * @param {number} pid
 * @returns {ProcessIdentity | null} null when no such process runs (a zombie runs no more), or it
 *   cannot be looked at
 */
export function identify(pid) {
  const startTime = startTimeOf(pid);
  if (typeof startTime !== 'string') return null;
  knownBootId ??= readBootId();
  return { pid, startTime, bootId: knownBootId };
}

/**
 * @param {ProcessIdentity} identity as recorded earlier, perhaps by another process
 * @returns {boolean} whether this very process still runs: what may be signalled
 */
export function isCertain(identity) {
  const now = identify(identity.pid);
  return now !== null && now.startTime === identity.startTime && now.bootId === identity.bootId;
}

/**
 * Who asks may start another one if it does not run. So one that cannot be looked at, for want of
 * descriptors, counts as alive as long as somebody has its pid.
 * @param {ProcessIdentity} identity as recorded earlier, perhaps by another process
 * @returns {boolean}
 */
export function isAlive(identity) {
  return startTimeOf(identity.pid) === undefined ? exists(identity.pid) : isCertain(identity);
}

/** @param {number} pid */
function exists(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
  }
}

/**
 * @param {number} pid
 * @returns {string | null | undefined} null: no such process runs; undefined: nobody can tell
 */
function startTimeOf(pid) {
  if (!Number.isSafeInteger(pid) || pid < 1) return null;
  return process.platform === 'linux' ? startTimeOnLinux(pid) : startTimeFromPs(pid);
}

/**
 * proc(5): the name in parentheses may hold anything, so count from the last ')'. After it come
 * the state (field 3) and, as field 22, the start time in clock ticks since boot.
 * @param {number} pid
 */
function startTimeOnLinux(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    return isWant(error) ? undefined : null;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? null : fields[19];
}

/** @param {number} pid */
function startTimeFromPs(pid) {
  let text;
  try {
    text = execFileSync('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch (error) {
    return isWant(error) ? undefined : null;
  }
  const [state, ...startTime] = text.split(/\s+/);
  return text === '' || state.startsWith('Z') ? null : startTime.join(' ');
}

/** @param {unknown} error of looking: the system was out of what that needs */
function isWant(error) {
  const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
  return ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'].includes(code);
}

function readBootId() {
  if (process.platform === 'linux') {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  }
  const text = execFileSync('/usr/sbin/sysctl', ['-n', 'kern.boottime'], { encoding: 'utf8' });
  return /sec = (\d+)/.exec(text)?.[1] ?? text.trim();
}
