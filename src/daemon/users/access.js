/** Finds out what the user of an app may not reach, before anything is started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { within } from '../../shared/deadline.js';

/** @typedef {{path: string, mode: 'r' | 'w' | 'x'}} Need */

/** ms */
const CHECK_MS = 5000;
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
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', ...args], {
    uid,
    gid,
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let found = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (found += text));
  const closed = once(child, 'close').catch(() => null);
  if ((await within(closed, CHECK_MS)) === null) child.kill('SIGKILL');
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
