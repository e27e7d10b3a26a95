/** Opens files whose place anything may have taken: neither a pipe nor a huge file occupies this process. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { formatSize } from '../units.js';
import { attempt } from '../../errors/error.js';

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;
/** Without waiting for the reader of a pipe. */
const TO_APPEND = O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK;

/**
 * @param {string} file
 * @param {number} maxBytes
 * @throws {NodeJS.ErrnoException} without a code if it is not a regular file, or is larger
 */
export function readSmallFile(file, maxBytes) {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size > maxBytes) throw new Error(`it is larger than ${formatSize(maxBytes)}`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

const MAX_PACKAGE_BYTES = 4 * 1024 * 1024;

/** @typedef {Record<string, any>} PackageJson nothing in it has been checked */

/** @param {string} directory @returns {PackageJson|null} null: there is none, or it is not valid */
export function readPackageJson(directory) {
  const file = join(directory, 'package.json');
  const value = attempt(() => JSON.parse(readSmallFile(file, MAX_PACKAGE_BYTES)), null);
  return typeof value === 'object' ? value : null;
}

/** To read its end too. Whatever else is in the place of a log is kept beside it, but a link to /dev/null stays. @param {string} log */
export function openToAppend(log) {
  const found = statSync(log, { throwIfNoEntry: false });
  if (found && !found.isFile() && !found.isCharacterDevice()) renameSync(log, `${log}.aside`);
  return openSync(log, TO_APPEND, 0o600);
}

const MAX_PID_BYTES = 32;

/**
 * A path that names something else by mistake must not be taken.
 * @param {string} file
 * @returns {string | null} the pid; '': it is empty or does not exist; null: something else, or unreadable
 */
export function readPidFile(file) {
  try {
    return /^\s*(\d*)\s*$/.exec(readSmallFile(file, MAX_PID_BYTES))?.[1] ?? null;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? '' : null;
  }
}
