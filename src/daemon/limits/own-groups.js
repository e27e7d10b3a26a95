/** The cgroups of this process, whose limits its apps have too. */
import { readFileSync } from 'node:fs';
import { findGroups } from './cgroup.js';

/** @import { Group } from './cgroup.js' */

/** @typedef {(path: string) => string | null} ReadText null: there is no such file */

/**
 * @param {'cpu' | 'memory'} controller
 * @param {ReadText} read
 * @returns {Group[]} none where there are no cgroups
 */
export function ownGroups(controller, read) {
  const cgroup = read('/proc/self/cgroup');
  const mountinfo = read('/proc/self/mountinfo');
  return cgroup && mountinfo ? findGroups(controller, cgroup, mountinfo) : [];
}

/** @type {ReadText} */
export function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
