/** Removes copies of this package from which nothing runs any more. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isJustUsed } from '../../shared/package/copy.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';
import { identify, isAlive } from '../../shared/processes/identity.js';
import { readRecord } from '../../shared/processes/primary-record.js';

/**
 * @import { Daemon } from '../daemon.js'
 * @import { FoundRecord } from '../../shared/processes/primary-record.js'
 */

/** @param {Pick<Daemon, 'paths' | 'table'>} daemon */
export function removeUnusedCopies({ paths: { versions, appsDir, app }, table }) {
  // A primary that was found by its socket, as after a full disk, may run from any of them.
  const isUnclear = table.all().some(({ link }) => link.state !== 'none' && !link.record?.root);
  if (isUnclear) return;
  try {
    const files = readdirSync(appsDir).flatMap((name) => [app(name).record, app(name).nextRecord]);
    const records = files.map((file) => readRecord(file));
    // A primary that cannot be recognized may run from any of them.
    if (records.some(({ kind }) => kind === 'unsound')) return;
    const used = records.flatMap((found) => rootsOf(found));
    const roots = [PACKAGE_ROOT, ...used].map((root) => path.resolve(root));
    const copies = readdirSync(versions).filter((name) => !isBeingMade(name));
    for (const copy of copies.map((name) => path.join(versions, name))) {
      if (!roots.includes(copy) && !isJustUsed(copy))
        rmSync(copy, { recursive: true, force: true });
    }
  } catch {
    // There are none, or one is being removed; the next daemon tries again.
  }
}

/** @param {FoundRecord} found */
function rootsOf(found) {
  if (found.kind !== 'sound' || !isAlive(found.record)) return [];
  return found.record.root ?? [];
}

/** @param {string} name @returns {boolean} */
export function isBeingMade(name) {
  const [, maker] = /\.(\d+)\.tmp$/.exec(name) ?? [];
  return maker !== undefined && identify(Number(maker)) !== null;
}
