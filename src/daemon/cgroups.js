/**
 * The limits of a container, from what Linux says about the cgroups (version 2) of this process. Node's
 * `availableParallelism` heeds that of the CPU only with libuv 1.49 or later, and its `availableMemory` counts the cache
 * of files as used.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readText } from '../shared/files/inspect-path.js';

/** @typedef {typeof readText} ReadText */

/**
 * The smallest, at least 1, of the cores that the process may run on and of the CPU limits of its cgroups. Like libuv, it
 * rounds a limit down: what starts more workers than that is throttled.
 * @param {{cores?: number, read?: ReadText}} [machine] cores: by the affinity of this process
 */
export function availableCores({ cores = availableParallelism(), read = readText } = {}) {
  const limits = cgroupDirectories(read).map((directory) => {
    const [quotaUs, periodUs] = read(join(directory, 'cpu.max')).trim().split(/\s+/).map(Number);
    return quotaUs > 0 && periodUs > 0 ? Math.floor(quotaUs / periodUs) : Infinity;
  });
  return Math.max(1, Math.min(cores, ...limits));
}

/** Of the cgroup of this process and those above it, as far as they are mounted. @param {ReadText} [read] */
export function cgroupDirectories(read = readText) {
  const [, path] = /^0::(\/.*)$/m.exec(read('/proc/self/cgroup')) ?? [];
  if (path === undefined) return [];
  const mounts = read('/proc/self/mountinfo').split('\n');
  // `30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw`
  return mounts.flatMap((mount) => {
    const [place, source = ''] = mount.split(' - ');
    const [, , , root, point] = place.split(' ').map(unescaped);
    return source.startsWith('cgroup2 ') ? directoriesOf(path, root, point) : [];
  });
}

/** The kernel writes a space, tab, newline and backslash as `\040`. @param {string} text */
function unescaped(text) {
  return text.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(parseInt(digits, 8)));
}

/**
 * From the cgroup itself up to the mount point; none if the mount does not show it.
 * @param {string} path of a cgroup
 * @param {string} root the path that is seen at `point`
 * @param {string} point
 */
function directoriesOf(path, root, point) {
  const [below, top] = [path, root].map((each) => (each === '/' ? '' : each));
  if (below !== top && !below.startsWith(`${top}/`)) return [];
  const names = below.slice(top.length).split('/').slice(1);
  if (names.includes('..')) return [];
  return Array.from({ length: names.length + 1 }, (_, above) =>
    [point, ...names.slice(0, names.length - above)].join('/'),
  );
}
