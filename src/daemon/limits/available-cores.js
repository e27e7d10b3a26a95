/** How many cores the apps may use: what `instances: max` means. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { limitOf } from './cgroup.js';
import { ownGroups, readText } from './own-groups.js';

/**
 * @import { Group } from './cgroup.js'
 * @import { ReadText } from './own-groups.js'
 */

/**
 * The smallest of the cores that the process may run on and of the CPU limits of its cgroups, which
 * newer versions of Node count already: a smallest number does not change when it is counted twice.
 * Like libuv, it rounds a limit down: what starts more workers than that is throttled.
 * @param {object} [machine]
 * @param {number} [machine.cores] by the affinity of this process
 * @param {ReadText} [machine.read]
 * @returns {number} at least 1
 */
export function availableCores({ cores = availableParallelism(), read = readText } = {}) {
  const limits = ownGroups('cpu', read).map((group) => Math.floor(readLimit(group, read)));
  return Math.max(1, Math.min(cores, ...limits));
}

/** @param {Group} group @param {ReadText} read */
function readLimit({ version, directory }, read) {
  const text = (/** @type {string} */ name) => read(join(directory, name)) ?? '';
  return version === 'v2'
    ? limitOf(text('cpu.max'))
    : limitOf(text('cpu.cfs_quota_us'), text('cpu.cfs_period_us'));
}
