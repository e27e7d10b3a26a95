/** How much memory the machine and the container have left. */
import { freemem } from 'node:os';
import { join } from 'node:path';
import { groupsOf } from '../../shared/cgroups.js';
import { readText } from '../../shared/files/inspect-path.js';

/** @import { ReadText } from '../../shared/cgroups.js' */

const FILES = {
  v1: {
    limit: 'memory.limit_in_bytes',
    used: 'memory.usage_in_bytes',
    cache: 'total_inactive_file',
  },
  v2: { limit: 'memory.max', used: 'memory.current', cache: 'inactive_file' },
};

/**
 * As the kubelet counts, the cache of files that nobody has read lately is free: the kernel drops it before it kills
 * a process.
 * @param {{free?: number, read?: ReadText}} [machine] free: bytes; on Linux MemAvailable
 * @returns {number} bytes; below 0 if a limit was lowered
 */
export function freeMemory({ free = freemem(), read = readText } = {}) {
  const left = groupsOf('memory', read).map(({ version, directory }) => {
    const { limit, used, cache } = FILES[version];
    const numberIn = (/** @type {string} */ name) => parseInt(read(join(directory, name)), 10);
    const stat = read(join(directory, 'memory.stat'));
    const [, cached] = new RegExp(`^${cache} (\\d+)$`, 'm').exec(stat) ?? [];
    return numberIn(limit) - numberIn(used) + Number(cached ?? 0);
  });
  // Without a limit the file says `max`, or with v1 a number near 2^63, and it is missing at the root.
  return Math.min(free, ...left.filter((bytes) => !Number.isNaN(bytes)));
}
