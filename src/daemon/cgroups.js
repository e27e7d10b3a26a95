/**
 * The limits of a container, from what Linux says about the cgroups (version 2) of this process. Node's
 * `availableParallelism` heeds that of the CPU only with libuv 1.49 or later, and its `availableMemory` counts the cache
 * of files as used.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readText } from '../shared/files/inspect-path.js';

const ROOT = '/sys/fs/cgroup';

/**
 * The smallest, at least 1, of the cores that the process may run on and of the CPU limits of its cgroups. Like libuv, it
 * rounds a limit down: what starts more workers than that is throttled.
 * @param {{cores?: number, read?: typeof readText}} [machine] cores: by the affinity of this process
 */
export function availableCores({ cores = availableParallelism(), read = readText } = {}) {
  const limits = cgroupDirectories(read).map((directory) => {
    const [quotaUs, periodUs] = read(join(directory, 'cpu.max')).trim().split(/\s+/).map(Number);
    return quotaUs > 0 && periodUs > 0 ? Math.floor(quotaUs / periodUs) : Infinity;
  });
  return Math.max(1, Math.min(cores, ...limits));
}

/** Of the cgroup of this process and those above it, as libuv looks for them: in a container without a namespace, the last is its own. */
export function cgroupDirectories(read = readText) {
  const [, path] = /^0::(\/.*)$/m.exec(read('/proc/self/cgroup')) ?? [];
  const names = path?.split('/').filter(Boolean);
  if (!names || names.includes('..')) return [];
  return [...names, ''].map((_, above) => join(ROOT, ...names.slice(0, names.length - above)));
}
