/** Removes copies of this package from which nothing runs any more. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_ROOT } from '../../shared/package/copy.js';
import { identify, isAlive } from '../../shared/processes/identity.js';
import { readRecord } from './record.js';

/** @import { HomePaths } from '../../shared/home.js' */

/** @param {HomePaths} paths */
export function removeUnusedCopies({ versions, appsDir, app }) {
  try {
    const records = readdirSync(appsDir).map((name) => readRecord(app(name).record));
    const used = records.flatMap((record) => (record?.root && isAlive(record) ? record.root : []));
    const roots = [PACKAGE_ROOT, ...used].map((root) => path.resolve(root));
    const copies = readdirSync(versions).filter((name) => !isBeingMade(name));
    for (const copy of copies.map((name) => path.join(versions, name))) {
      if (!roots.includes(copy)) rmSync(copy, { recursive: true, force: true });
    }
  } catch {
    // There are none, or one is being removed; the next daemon tries again.
  }
}

/** @param {string} name */
function isBeingMade(name) {
  const [, maker] = /\.(\d+)\.tmp$/.exec(name) ?? [];
  return maker !== undefined && identify(Number(maker)) !== null;
}
