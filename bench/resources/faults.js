/** Ways in which a resource is used up. Each returns a function that gives it back. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { processesOf } from '../../test/support/processes.js';
import { ControlGroup } from './control-group.js';
import { fillBytes, fillInodes } from './full-disk.js';
import { enterMemoryGroup, killForMemory, limitMemory } from './memory.js';

/**
 * @typedef {object} Victim
 * @property {string} root of the home
 * @property {string} home
 * @property {number[]} supervisors pids of the daemon and the primaries
 * @property {number[]} others pids of the primary and the worker of the app that no command is about
 * @property {number[]} all of them and of the workers
 *
 * @typedef {object} Fault
 * @property {string} name
 * @property {() => void} [prepare] before the daemon starts
 * @property {(victim: Victim) => () => unknown} use
 * @property {(pid: number) => Promise<void>} [kill] how this fault kills; default: SIGKILL
 */

/** Descriptors that are left: enough for a client, too few for a child process. */
const SPARE_DESCRIPTORS = 2;

/** @type {Fault[]} */
export const FAULTS = [
  { name: 'full disk (ENOSPC)', use: fillBytes },
  { name: 'full disk, no inode left', use: fillInodes },
  { name: 'read-only home', use: mountReadOnly },
  { name: 'no descriptors left (EMFILE)', use: limitDescriptors },
  { name: 'full process table (EAGAIN)', use: limitProcesses },
  { name: 'memory limit', prepare: enterMemoryGroup, use: limitMemory, kill: killForMemory },
];

/** Files that are open stay writable. @param {Victim} victim */
function mountReadOnly({ home }) {
  execFileSync('mount', ['--bind', home, home]);
  execFileSync('mount', ['-o', 'remount,bind,ro', home]);
  return () => execFileSync('umount', ['--lazy', home]);
}

/** @param {Victim} victim */
function limitDescriptors({ root, supervisors }) {
  for (const pid of supervisors) {
    const used = readdirSync(`/proc/${pid}/fd`).length;
    limit(pid, `--nofile=${used + SPARE_DESCRIPTORS}:`);
  }
  return () => processesOf(root).forEach((pid) => limit(pid, '--nofile=1024:'));
}

/** @param {Victim} victim */
function limitProcesses({ all }) {
  const group = new ControlGroup('pids');
  group.add(...all);
  group.write('pids.max', group.read('pids.current'));
  return async () => {
    group.write('pids.max', 'max');
    await group.remove();
  };
}

/** @param {number} pid @param {string} option */
function limit(pid, option) {
  try {
    execFileSync('prlimit', ['--pid', String(pid), option], { stdio: 'ignore' });
  } catch {
    // It has exited.
  }
}
