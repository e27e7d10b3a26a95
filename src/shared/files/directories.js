/** Creates and removes directories where `recursive` is not safe. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  promises,
  chmodSync,
  lchownSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import path from 'node:path';
import { attempt, ignoreError } from '../../errors/error.js';

/**
 * Creates a directory, and those above it one by one: mkdir with `recursive` never returns for a path below /proc (Node
 * 20), and would occupy a thread for ever.
 * @param {string} directory it may exist
 * @param {number} [mode] of those created
 */
export async function makeDirectory(directory, mode) {
  // The promises of node:fs are loaded here, not by every command.
  const { mkdir, stat } = promises;
  if (await stat(directory).catch(ignoreError('ENOENT'))) return;
  await makeDirectory(path.dirname(directory), mode);
  await mkdir(directory, { mode }).catch(ignoreError('EEXIST'));
}

/**
 * The same for those that a power failure must not remove.
 * @param {string} directory
 * @param {number} mode
 * @throws EEXIST
 */
export function makeDirectorySync(directory, mode) {
  const parent = path.dirname(directory);
  if (!existsSync(parent)) makeDirectorySync(parent, mode);
  mkdirSync(directory, { mode });
  syncDirectory(parent);
}

/** @param {string} directory it may be unreadable */
function syncDirectory(directory) {
  const descriptor = attempt(() => openSync(directory, 'r'), null);
  if (descriptor === null) return;
  // Otherwise the kernel writes it in a few seconds.
  attempt(() => fsyncSync(descriptor), undefined);
  closeSync(descriptor);
}

/**
 * Removes a directory that may contain directories of other users, who could put a link in place of one at that moment:
 * with rmSync what is removed would be elsewhere.
 * @param {string} directory in a directory where other users cannot rename it
 */
export function removeDirectory(directory) {
  // From here on nobody else can look up, add or rename anything in it.
  lchownSync(directory, process.geteuid?.() ?? -1, process.getegid?.() ?? -1);
  chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) removeDirectory(file);
    else unlinkSync(file);
  }
  rmdirSync(directory);
}
