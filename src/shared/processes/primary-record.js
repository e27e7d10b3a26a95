/**
 * The record of the primary of an app, in which the next daemon finds it: a symbolic link whose target
 * is the identity of the process. Unlike a file, it appears in one step, needs no space on a full disk,
 * and can be read without a descriptor, so a daemon that has none left does not take it for missing.
 */
import { lstatSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { identityText, parseIdentity } from './identity-text.js';

/** @import { ProcessIdentity } from './identity.js' */

/** Begins the record that the daemon writes for a primary that does not listen yet. */
const STARTING = 'new ';

/**
 * @typedef {{kind: 'none'}
 *   | {kind: 'sound', identity: ProcessIdentity, isStarting: boolean}
 *   | {kind: 'unsound', reason: string}} FoundRecord unsound: it is damaged or cannot be read, so
 *   there may be a primary
 */

/**
 * @param {string} file
 * @param {(file: string) => string} [read]
 * @returns {FoundRecord}
 */
export function readRecord(file, read = readlinkSync) {
  try {
    const target = read(file);
    const isStarting = target.startsWith(STARTING);
    const identity = parseIdentity(isStarting ? target.slice(STARTING.length) : target);
    if (identity === null) return { kind: 'unsound', reason: `${file} is damaged` };
    return { kind: 'sound', identity, isStarting };
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT') return { kind: 'none' };
    const reason = code === 'EINVAL' ? `${file} is not a link` : `could not read ${file} (${code})`;
    return { kind: 'unsound', reason };
  }
}

/**
 * Keeps the next daemon from starting a second primary while the first is not ready yet. Does not
 * replace the record that the primary itself may have written already.
 * @param {string} file removed before the primary was started
 * @param {ProcessIdentity} identity
 */
export function recordStarting(file, identity) {
  try {
    symlinkSync(STARTING + identityText(identity), file);
  } catch {
    // It exists already, or the primary will report why it cannot write its own.
  }
}

/** @param {string} file @param {ProcessIdentity} identity of a primary that listens */
export function writeRecord(file, identity) {
  const temporary = `${file}~`;
  rmSync(temporary, { force: true });
  symlinkSync(identityText(identity), temporary);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) rmSync(file, { recursive: true });
  renameSync(temporary, file);
}

/**
 * @param {string} file
 * @param {ProcessIdentity} identity
 * @returns {Promise<boolean>} false: its record is missing, or another one is in its place
 */
export async function isRecorded(file, identity) {
  const target = await readlink(file).catch(() => '');
  return target === identityText(identity);
}
