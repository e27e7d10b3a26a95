/** The file in which a daemon finds a primary that an earlier daemon started, and the workers of one that was killed. */
import { rmSync, writeFileSync } from 'node:fs';
import { listDirectory } from '../files/inspect-path.js';
import { readSmallFile } from '../files/small-file.js';
import { PACKAGE_ROOT } from '../package/root.js';
import { VERSION } from '../version.js';
import { attempt } from '../../errors/error.js';
import { isObject } from '../checks.js';
import { primaryRecord, recordedWorker } from './checks.js';
import { isAlive } from './identity.js';

/**
 * @import { HomePaths } from '../home.js'
 * @import { PrimaryLaunch, PrimaryRecord, ProcessIdentity } from './records.js'
 */

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * @param {ProcessIdentity} identity of a primary that runs from the same package, on the same Node
 * @param {string} socket
 * @param {Pick<PrimaryLaunch, 'mode' | 'most'>} launch
 */
export function makeRecord(identity, socket, { mode, most }) {
  const own = { version: VERSION, root: PACKAGE_ROOT, node: process.version };
  return { ...identity, socket, ...own, mode, most, apps: {} };
}

/**
 * @param {string} file
 * @returns {{kind: 'none'} | {kind: 'sound', record: PrimaryRecord} | {kind: 'unsound', reason: string}} unsound: it is
 *   damaged or cannot be read, so there may be a primary
 */
export function readRecord(file) {
  try {
    const record = JSON.parse(readSmallFile(file, MAX_BYTES));
    if (primaryRecord(record) === null) return { kind: 'sound', record };
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT') return { kind: 'none' };
    if (code) return { kind: 'unsound', reason: `could not read ${file} (${code})` };
  }
  return { kind: 'unsound', reason: `${file} is damaged` };
}

/** By app, who must be ended if that primary is killed: what of it is valid. @param {PrimaryRecord} record */
export function workersIn({ apps }) {
  const entries = isObject(apps) ? Object.entries(apps) : [];
  return new Map(
    entries.map(([name, workers]) => {
      const all = Array.isArray(workers) ? workers : [];
      return [name, all.filter((each) => recordedWorker(each) === null)];
    }),
  );
}

/**
 * @param {Pick<HomePaths, 'primariesDir' | 'primary'>} paths
 * @returns {(PrimaryRecord | null)[]} of the primaries that run; null: of one of which that is not clear
 */
export function runningPrimaries({ primariesDir, primary }) {
  return primaryIds(primariesDir).flatMap((id) => {
    const found = readRecord(primary(id).identity);
    if (found.kind === 'unsound') return [null];
    return found.kind === 'sound' && isAlive(found.record) ? [found.record] : [];
  });
}

/** @param {string} primariesDir @returns {number[]} the ids of all that have a directory */
export function primaryIds(primariesDir) {
  return listDirectory(primariesDir).flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
}

/**
 * Until the primary itself has written it, which may have happened already. On a full disk there is none, nor without
 * descriptors: the next daemon finds the primary by its socket.
 * @param {string} file
 * @param {PrimaryRecord} record
 */
export function recordStarting(file, record) {
  try {
    writeFileSync(file, JSON.stringify(record), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    // It was made, but without its text it would be a damaged one.
    if (code !== 'EEXIST') attempt(() => rmSync(file, { force: true }), undefined);
  }
}
