/**
 * The limits of a container, from what Linux says about the cgroups of a process. Node's
 * `availableParallelism` heeds that of the CPU only with libuv 1.49 or later, and its
 * `availableMemory` counts the cache of files as used.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { groupsOf } from '../shared/cgroups.js';
import { readText } from '../shared/files/inspect-path.js';

/** @import { Group, ReadText } from '../shared/cgroups.js' */

/**
 * The smallest, at least 1, of the cores that the process may run on and of the CPU limits of its cgroups, which newer
 * versions of Node count already. Like libuv, it rounds a limit down: what starts more workers than that is throttled.
 * @param {{cores?: number, read?: ReadText}} [machine] cores: by the affinity of this process
 */
export function availableCores({ cores = availableParallelism(), read = readText } = {}) {
  const limits = groupsOf('cpu', read).map((group) => Math.floor(readLimit(group, read)));
  return Math.max(1, Math.min(cores, ...limits));
}

/** Of cores, not rounded; Infinity without a limit. @param {Group} group @param {ReadText} read */
function readLimit({ version, directory }, read) {
  const files = version === 'v2' ? ['cpu.max'] : ['cpu.cfs_quota_us', 'cpu.cfs_period_us'];
  const text = files.map((name) => read(join(directory, name))).join(' ');
  const [quotaUs, periodUs] = text.trim().split(/\s+/).map(Number);
  return quotaUs > 0 && periodUs > 0 ? quotaUs / periodUs : Infinity;
}
