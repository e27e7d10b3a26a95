/**
 * Node 22.1 and newer can keep the compiled code of modules on disk. It is code: whoever can write there
 * runs programs as this user, so it is in the home directory, and only if nobody else can enter that.
 */
import { lstatSync } from 'node:fs';
import module from 'node:module';
import os from 'node:os';
import path from 'node:path';

/** For this process only: neither daemon nor apps inherit it. @param {NodeJS.ProcessEnv} env */
export function enableCompileCache({ NODECLUSTER_HOME }) {
  const { enableCompileCache: enable } =
    /** @type {{enableCompileCache?: (at: string) => void}} */ (module);
  if (enable === undefined) return;
  try {
    const home = path.resolve(NODECLUSTER_HOME || path.join(os.homedir(), '.nodecluster'));
    if (isPrivate(home)) enable(path.join(home, 'compiled'));
  } catch {
    // There is no home directory, and none is made.
  }
}

/** @param {string} directory @returns {boolean} whether it belongs to this user, and no other may enter it */
function isPrivate(directory) {
  const stats = lstatSync(directory);
  return stats.isDirectory() && stats.uid === process.geteuid?.() && (stats.mode & 0o077) === 0;
}
