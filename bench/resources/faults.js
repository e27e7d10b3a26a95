/**
 * Ways in which a resource is used up. Each returns a function that gives it back. A full disk is in
 * test/e2e/endurance/full-disk.test.js.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { processesOf } from '../../test/support/processes.js';
import { until } from '../../test/support/until.js';

/**
 * @typedef {object} Victim
 * @property {string} root of the home
 * @property {string} home
 * @property {number[]} supervisors pids of the daemon and the primaries
 * @property {number[]} all theirs and those of the workers
 *
 * @typedef {object} Fault
 * @property {string} name
 * @property {(victim: Victim) => () => unknown} use
 */

const CGROUPS = '/sys/fs/cgroup/pids';
/** Descriptors that are left: enough for a client, too few for a child process. */
const SPARE_DESCRIPTORS = 2;

/** @type {Fault[]} */
export const FAULTS = [
  { name: 'read-only home', use: mountReadOnly },
  { name: 'no descriptors left (EMFILE)', use: limitDescriptors },
  { name: 'full process table (EAGAIN)', use: limitProcesses },
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
  const group = path.join(CGROUPS, `nodecluster-bench-${process.pid}`);
  mkdirSync(group);
  for (const pid of all) writeFileSync(path.join(group, 'cgroup.procs'), String(pid));
  const current = readFileSync(path.join(group, 'pids.current'), 'utf8');
  writeFileSync(path.join(group, 'pids.max'), current);
  return async () => {
    writeFileSync(path.join(group, 'pids.max'), 'max');
    await until(() => {
      const pids = readFileSync(path.join(group, 'cgroup.procs'), 'utf8').split('\n');
      pids.filter(Boolean).forEach(moveOut);
      rmdirSync(group);
      return true;
    }, 'the cgroup to be empty');
  };
}

/** @param {string} pid */
function moveOut(pid) {
  try {
    writeFileSync(path.join(CGROUPS, 'cgroup.procs'), pid);
  } catch {
    // It has exited.
  }
}

/** @param {number} pid @param {string} option */
function limit(pid, option) {
  try {
    execFileSync('prlimit', ['--pid', String(pid), option], { stdio: 'ignore' });
  } catch {
    // It has exited.
  }
}
