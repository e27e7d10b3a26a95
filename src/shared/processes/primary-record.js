/** The file in which a daemon finds a primary that an earlier daemon started. */
import { rmSync, writeFileSync } from 'node:fs';
import { readSmallFile } from '../files/small-file.js';
import { PACKAGE_ROOT } from '../package/root.js';
import { VERSION } from '../version.js';
import { primaryRecord, recordedWorker } from './checks.js';
import { isAlive } from './identity.js';

/** @import { PrimaryRecord, ProcessIdentity, RecordedWorker } from './records.js' */

/**
 * @typedef {{kind: 'none'} | {kind: 'sound', record: PrimaryRecord} | {kind: 'unsound', reason: string}
 * } FoundRecord unsound: it is damaged or cannot be read, so there may be a primary
 */

/** Bytes; a record has about 300. */
const MAX_BYTES = 16 * 1024;

/**
 * @param {ProcessIdentity} identity of a primary that runs from the same package, on the same Node
 * @param {string} socket
 * @param {PrimaryRecord['shares']} shares
 * @returns {PrimaryRecord}
 */
export function makeRecord(identity, socket, shares) {
  const own = { ...identity, socket, version: VERSION, root: PACKAGE_ROOT };
  return shares ? { ...own, shares, node: process.version } : own;
}

/** @param {string} file @returns {FoundRecord} */
export function readRecord(file) {
  try {
    const record = JSON.parse(readSmallFile(file, MAX_BYTES));
    return primaryRecord(record) === null ? { kind: 'sound', record } : damaged(file);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT') return { kind: 'none' };
    return code ? { kind: 'unsound', reason: `could not read ${file} (${code})` } : damaged(file);
  }
}

/**
 * @param {string} file
 * @returns {PrimaryRecord | null} of a primary that runs; null also if the record cannot be read
 */
export function readLiveRecord(file) {
  const found = readRecord(file);
  return found.kind === 'sound' && isAlive(found.record) ? found.record : null;
}

/** @param {string} file @returns {boolean} whether a primary runs; true also if that is not clear */
export function mayRun(file) {
  const found = readRecord(file);
  return found.kind === 'sound' ? isAlive(found.record) : found.kind === 'unsound';
}

/**
 * Keeps the next daemon from starting a second primary while the first is not ready yet. Does not
 * replace the record that the primary itself may have written already. On a full disk there is none:
 * the next daemon finds the primary by its socket.
 * @param {string} file removed before the primary was started
 * @param {PrimaryRecord} record
 */
export function recordStarting(file, record) {
  try {
    writeFileSync(file, JSON.stringify(record), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EEXIST') return;
    // It was made, but without its text it would be a damaged one.
    rmSync(file, { force: true });
    if (!['ENOSPC', 'EDQUOT'].includes(code)) throw error;
  }
}

/** @param {string} file @returns {FoundRecord} */
function damaged(file) {
  return { kind: 'unsound', reason: `${file} is damaged` };
}

/** Bytes; a worker has about 200. */
const MAX_WORKERS_BYTES = 1024 * 1024;

/**
 * Who must be ended if the primary is killed.
 * @param {string} file in which it records its workers
 * @returns {RecordedWorker[] | null | undefined} what of it is valid; null: there was none; undefined: it is
 *   damaged or cannot be read
 */
export function readWorkers(file) {
  try {
    /** @type {unknown} */
    const recorded = JSON.parse(readSmallFile(file, MAX_WORKERS_BYTES));
    if (!Array.isArray(recorded)) return undefined;
    return recorded.filter((entry) => recordedWorker(entry) === null);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? null : undefined;
  }
}
