/** Moves full log files away, and removes old ones. */
import { open, rename, rm } from 'node:fs/promises';
import {
  resolveLinks,
  listRotated,
  listUnfinished,
  rotatedPath,
} from '../../shared/log-files/rotated-files.js';
import { ignoreError } from '../../errors/error.js';

/**
 * @typedef {object} Rotation
 * @property {number} maxSizeBytes a file that would become larger is moved away first
 * @property {number} keep maximum number of rotated files
 * @property {boolean} compress
 */

/**
 * Another primary that writes to the same file may move it at the same moment: then a small file is
 * moved too, and nothing is lost.
 * @param {string} logPath
 * @throws {NodeJS.ErrnoException}
 */
export async function moveAway(logPath) {
  const file = await resolveLinks(logPath);
  const rotated = await reserveName(file);
  await rename(file, rotated).catch(async (error) => {
    await rm(rotated, { force: true });
    ignoreError('ENOENT')(error);
  });
}

/** @param {string} logPath @param {number} keep how many, the newest */
export async function prune(logPath, keep) {
  const files = await listRotated(logPath);
  for (const { path } of files.slice(0, Math.max(0, files.length - keep))) {
    await rm(path, { force: true });
  }
}

/** @param {string} logPath whose unfinished files a killed primary left */
export async function removeUnfinished(logPath) {
  for (const path of await listUnfinished(logPath)) await rm(path, { force: true });
}

/**
 * rename() would replace a file of that name, so the name is reserved first.
 * @param {string} logPath
 * @returns {Promise<string>} an empty file
 */
async function reserveName(logPath) {
  const newest = (await listRotated(logPath)).at(-1)?.number ?? 0;
  for (let number = newest + 1; ; number++) {
    const path = rotatedPath(logPath, number);
    const reserved = await open(path, 'wx', 0o600).catch(ignoreError('EEXIST'));
    if (!reserved) continue;
    await reserved.close();
    return path;
  }
}
