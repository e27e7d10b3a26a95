/**
 * Which copy is known to equal which package: reading both completely takes longer than the daemon needs
 * to listen. As git does with its index, files are compared by what stat says of them.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fingerprintOf } from '../fingerprint.js';
import { identify } from '../processes/identity.js';

/** @import { PackageFile } from './contents.js' */

/**
 * @typedef {object} KnownCopy
 * @property {string} bootId after a power failure, the files of a copy may be damaged
 * @property {string} root of the package
 * @property {string} copy
 * @property {string} state of the files of the package, and of those in the copy
 */

/**
 * @param {string} versions the directory of all copies
 * @param {string} root of the package
 * @param {PackageFile[]} files of the package
 * @returns {string | null} its copy; null: all files have to be read
 */
export function readKnownCopy(versions, root, files) {
  try {
    /** @type {KnownCopy} */
    const known = JSON.parse(readFileSync(recordOf(versions), 'utf8'));
    const isOfHere = known.root === root && path.dirname(known.copy) === versions;
    return isOfHere && JSON.stringify(known) === describe(root, files, known.copy)
      ? known.copy
      : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} versions
 * @param {string} root
 * @param {PackageFile[]} files
 * @returns {(copy: string) => void} to be called when their contents were found to be equal; what
 *   changes in the meantime is noticed
 */
export function watchStates(versions, root, files) {
  const before = statesOf(files.map(({ from }) => from));
  return (copy) => {
    const file = recordOf(versions);
    const temporary = `${file}.${process.pid}.tmp`;
    try {
      writeFileSync(temporary, describe(root, files, copy, before), { mode: 0o600 });
      renameSync(temporary, file);
    } catch {
      // The disk is full or read-only: the next start reads all files again.
      rmSync(temporary, { force: true });
    }
  };
}

/** @param {string} versions */
function recordOf(versions) {
  return `${versions}.json`;
}

/**
 * @param {string} root
 * @param {PackageFile[]} files
 * @param {string} copy
 * @param {string} [own] states of the files of the package
 * @returns {string} a KnownCopy
 * @throws {Error} if one is missing
 */
function describe(root, files, copy, own = statesOf(files.map(({ from }) => from))) {
  const others = statesOf(files.map(({ to }) => path.join(copy, to)));
  const bootId = identify(process.pid)?.bootId ?? '';
  return JSON.stringify({ bootId, root, copy, state: fingerprintOf(own + others) });
}

/** @param {string[]} files */
function statesOf(files) {
  return files.map(stateOf).join('\n');
}

/** @param {string} file */
function stateOf(file) {
  const { size, ino, mtimeMs, ctimeMs } = statSync(file);
  return `${file} ${size} ${ino} ${mtimeMs} ${ctimeMs}`;
}
