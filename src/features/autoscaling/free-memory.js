/** How much memory the machine and the container have left. */
import { freemem } from 'node:os';
import { join } from 'node:path';
import { groupsOf } from '../../shared/cgroups.js';
import { readText } from '../../shared/files/inspect-path.js';

/**
 * As the kubelet counts, the cache of files that nobody has read lately is free: the kernel drops it before it kills.
 * @param {{free?: number, read?: typeof readText}} [machine] @returns {number} bytes; below 0 if a limit was lowered
 */
export function freeMemory({ free = freemem(), read = readText } = {}) {
  const left = groupsOf('memory', read).map(({ directory }) => {
    const textOf = (/** @type {string} */ name) => read(join(directory, name));
    const [, cache = '0'] = /^inactive_file (\d+)$/m.exec(textOf('memory.stat')) ?? [];
    return (
      parseInt(textOf('memory.max'), 10) - parseInt(textOf('memory.current'), 10) + Number(cache)
    );
  });
  // Without a limit the file says `max`, and it is missing at the root and with cgroup v1.
  return Math.min(free, ...left.filter((bytes) => !Number.isNaN(bytes)));
}
