/** How much memory the apps may still use, so that nothing is killed because an app scales itself. */
import { freemem } from 'node:os';
import { join } from 'node:path';
import { ownGroups, readText } from '../../daemon/cgroup-limits.js';

/**
 * @import { Group, ReadText } from '../../daemon/cgroup-limits.js'
 */

/** @type {Record<Group['version'], {limit: string, used: string, cache: RegExp}>} */
const FILES = {
  v1: {
    limit: 'memory.limit_in_bytes',
    used: 'memory.usage_in_bytes',
    cache: /^total_inactive_file (\d+)$/m,
  },
  v2: { limit: 'memory.max', used: 'memory.current', cache: /^inactive_file (\d+)$/m },
};

/**
 * The smallest of what the machine has and what the limits of the cgroups leave. As the kubelet counts,
 * the cache of files that nobody has read lately is free: the kernel drops it before it kills a process.
 * @param {object} [machine]
 * @param {number} [machine.free] bytes; on Linux MemAvailable
 * @param {ReadText} [machine.read]
 * @returns {number} bytes; below 0 if a limit was lowered
 */
export function freeMemory({ free = freemem(), read = readText } = {}) {
  return Math.min(free, ...ownGroups('memory', read).map((group) => leftIn(group, read)));
}

/** @param {Group} group @param {ReadText} read */
function leftIn({ version, directory }, read) {
  const { limit, used, cache } = FILES[version];
  const text = (/** @type {string} */ name) => read(join(directory, name)) ?? '';
  const limitBytes = bytesOf(text(limit));
  const usedBytes = bytesOf(text(used));
  // Without a limit the file says `max`, or with v1 a number near 2^63, and it is missing at the root.
  if (limitBytes === null || usedBytes === null) return Infinity;
  return limitBytes - usedBytes + Number(cache.exec(text('memory.stat'))?.[1] ?? 0);
}

/** @param {string} text */
function bytesOf(text) {
  return /^\d+\s*$/.test(text) ? Number(text) : null;
}
