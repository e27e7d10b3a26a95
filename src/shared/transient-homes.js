/** Where the home directories of `run` are, each private and gone when it has ended, and which of them are in use. */
import { lstatSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { attempt } from '../errors/error.js';
import { listDirectory } from './files/inspect-path.js';
import { daemonPid } from './processes/daemon-lock.js';

/** Of each `run` of this user, where a new one would be. @param {Record<string, string | undefined>} env */
export function runningHomes(env) {
  const running = parentsOf(env).map((parent) =>
    transientHomes(parent).filter((home) => daemonPid(home) !== null),
  );
  return running.find((homes) => homes.length > 0) ?? [];
}

/** @param {NodeJS.ProcessEnv} env @returns {string[]} the directories that may contain them */
export function parentsOf(env) {
  return candidatesOf(env).filter((parent) => !belongsToOther(parent));
}

/** @param {NodeJS.ProcessEnv} env @returns {string[]} those, and directories of other users */
export function candidatesOf({ XDG_RUNTIME_DIR }) {
  const parents = [XDG_RUNTIME_DIR, '/dev/shm', os.tmpdir()];
  return [...new Set(parents.filter((parent) => parent?.startsWith('/')).map(String))];
}

/** Its owner can rename what is in it: `su` keeps the XDG_RUNTIME_DIR of the user before. @param {string} parent */
export function belongsToOther(parent) {
  const { uid } = statSync(parent, { throwIfNoEntry: false }) ?? {};
  return uid !== undefined && uid !== 0 && uid !== process.geteuid?.();
}

export function prefix() {
  return `nodecluster-run-${process.geteuid?.()}-`;
}

/** @param {string} home @returns {boolean} whether it is that of a `run` */
function isTransient(home) {
  return path.basename(home).startsWith(prefix());
}

/** @param {string} parent @returns {string[]} those of this user there */
export function transientHomes(parent) {
  const homes = listDirectory(parent)
    .filter(isTransient)
    .map((name) => path.join(parent, name));
  const isOwn = (/** @type {string} */ home) => {
    const stats = lstatSync(home, { throwIfNoEntry: false });
    if (!stats?.isDirectory() || stats.uid !== process.geteuid?.()) return false;
    // Of mkdtemp; where others may write, one of them may have moved it here.
    return (stats.mode & 0o077) === 0;
  };
  return attempt(() => homes.filter(isOwn), []);
}
