/** Finds out what the user of an app may not reach, before anything is started. */
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** @typedef {{path: string, mode: 'r' | 'w' | 'x'}} Need */

/** ms */
const CHECK_MS = 5000;
const LIMITS = { maxBuffer: 64 * 1024, killSignal: /** @type {const} */ ('SIGKILL') };
/** Prints the first path that fails. Only a process of that user knows ACLs and the like. */
const SCRIPT = `while [ $# -gt 0 ]; do
  test "-$1" "$2" || { printf %s "$2"; exit 1; }
  shift 2
done`;

/**
 * @param {{uid: number, gid: number}} user
 * @param {readonly Need[]} needs paths that do not exist are skipped: others report those
 * @returns {Promise<string | null>} the first file or directory that the user may not use as needed
 */
export async function findInaccessible({ uid, gid }, needs) {
  const args = withParents(needs).flatMap(({ path: file, mode }) => [mode, file]);
  // Its user may stop that process and write to its output.
  const options = { uid, gid, cwd: '/', env: {}, timeout: CHECK_MS, ...LIMITS };
  const check = promisify(execFile)('/bin/sh', ['-c', SCRIPT, 'sh', ...args], options);
  const { stdout: found } = await check.catch((error) => error);
  return found || null;
}

/** @param {readonly Need[]} needs @returns {Need[]} with the directories above each, once */
function withParents(needs) {
  const all = needs.flatMap(({ path: file, mode }) => {
    const real = realPath(file);
    return real === null ? [] : [...parentsOf(real), { path: real, mode }];
  });
  return [...new Map(all.map((need) => [`${need.mode}${need.path}`, need])).values()];
}

/** @param {string} file @returns {Need[]} */
function parentsOf(file) {
  const parent = path.dirname(file);
  return parent === file ? [] : [...parentsOf(parent), { path: parent, mode: 'x' }];
}

/** @param {string} file */
function realPath(file) {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}
