/** Writes a file so that readers find the old text or the new one, even after a power failure. */
import { rmSync } from 'node:fs';
import { open, rename, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { attempt } from '../../errors/error.js';
import { listDirectory } from './inspect-path.js';

/**
 * The caller orders concurrent writes of one file; the last one stays. It is on the disk when the promise resolves.
 * @param {string} file
 * @param {string | Buffer} text
 * @param {{mode?: number}} [options] default: only its owner may read it
 * @throws {Error} the file is as before, unless only its directory could not be written to the disk
 */
export async function writeFileAtomic(file, text, { mode = 0o600 } = {}) {
  const temporary = `${file}.${Math.random().toString(36).slice(2)}.tmp`;
  try {
    await writeFile(temporary, text, { flag: 'wx', mode, flush: true });
    const directory = await open(path.dirname(file), 'r'); // if that fails, the file must not have changed
    try {
      await rename(temporary, file);
      await directory.sync();
    } finally {
      await directory.close();
    }
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

/** Removes what writers that crashed left. No writer may be active. @param {string} file that they wrote */
export function removeUnfinished(file) {
  const { dir, base } = path.parse(file);
  for (const name of listDirectory(dir)) {
    const isUnfinished = name.startsWith(`${base}.`) && name.endsWith('.tmp');
    // It is in nobody's way, and whoever starts next tries again.
    if (isUnfinished) attempt(() => rmSync(path.join(dir, name)), undefined);
  }
}
