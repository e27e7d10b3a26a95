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
 * @returns {ProcessIdentity | null} null when no such process runs (a zombie runs no more)
 */
export function identify(pid) {
  if (!Number.isSafeInteger(pid) || pid < 1) return null;
  const startTime = process.platform === 'linux' ? startTimeOnLinux(pid) : startTimeFromPs(pid);
  if (startTime === null) return null;
  knownBootId ??= readBootId();
  return { pid, startTime, bootId: knownBootId };
}

/**
 * @param {ProcessIdentity} identity as recorded earlier, perhaps by another process
 * @returns {boolean} whether this very process still runs
 */
export function isAlive(identity) {
  const now = identify(identity.pid);
  return now !== null && now.startTime === identity.startTime && now.bootId === identity.bootId;
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
  } catch {
    return null;
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
  } catch {
    return null;
  }
  const [state, ...startTime] = text.split(/\s+/);
  return text === '' || state.startsWith('Z') ? null : startTime.join(' ');
}

function readBootId() {
  if (process.platform === 'linux') {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  }
  const text = execFileSync('/usr/sbin/sysctl', ['-n', 'kern.boottime'], { encoding: 'utf8' });
  return /sec = (\d+)/.exec(text)?.[1] ?? text.trim();
}
