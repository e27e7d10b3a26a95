/** Removes copies of this package from which nothing runs any more. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_ROOT } from '../../shared/package/copy.js';
import { isAlive } from '../../shared/processes/identity.js';
import { readRecord } from './record.js';

/** @import { HomePaths } from '../../shared/home.js' */

/** ms; a daemon or a primary may be starting from a copy that was just made. */
const MIN_AGE_MS = 10 * 60_000;

/** @param {HomePaths} paths */
export function removeUnusedCopies({ versions, appsDir, app }) {
  try {
    const records = readdirSync(appsDir).map((name) => readRecord(app(name).record));
    const used = records.flatMap((record) => (record?.root && isAlive(record) ? record.root : []));
    const roots = [PACKAGE_ROOT, ...used].map((root) => path.resolve(root));
    for (const name of readdirSync(versions)) {
      const copy = path.join(versions, name);
      const isOld = Date.now() - statSync(copy).ctimeMs > MIN_AGE_MS;
      if (isOld && !roots.includes(copy)) rmSync(copy, { recursive: true, force: true });
    }
  } catch {
    // There are none, or one is being removed; the next daemon tries again.
  }
}
