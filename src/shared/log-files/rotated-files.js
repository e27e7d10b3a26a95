/**
 * Names of rotated log files: `api-out.log.000017`, later `api-out.log.000017.gz`. The number
 * grows and a name is never given again, so that a reader can follow.
 */
import { readdir, readlink } from 'node:fs/promises';
import path from 'node:path';

const DIGITS = 6;
/** As many as Linux follows. */
const MAX_LINKS = 40;
const SHAPE = /^\.(\d{6,15})(\.gz)?(\.tmp)?$/;

/**
 * @typedef {object} RotatedFile
 * @property {string} path
 * @property {number} number
 * @property {boolean} isCompressed
 */

/**
 * @param {string} logPath
 * @param {number} number
 * @returns {string}
 */
export function rotatedPath(logPath, number) {
  return `${logPath}.${String(number).padStart(DIGITS, '0')}`;
}

/**
 * @param {string} rotated of a file that is not compressed
 * @returns {{finished: string, unfinished: string}} what it is compressed to, and meanwhile
 */
export function compressedPaths(rotated) {
  return { finished: `${rotated}.gz`, unfinished: `${rotated}.gz.tmp` };
}

/**
 * A link stays where it is when its log is rotated: it is the file behind it that moves.
 * @param {string} logPath
 * @returns {Promise<string>} what it stands for, whether that is there just now or not
 */
export async function behindLinks(logPath) {
  let file = logPath;
  for (let count = 0; count < MAX_LINKS; count++) {
    const target = await readlink(file).catch(() => null);
    if (target === null) break;
    file = path.resolve(path.dirname(file), target);
  }
  return file;
}

/**
 * @param {string} logPath
 * @returns {Promise<RotatedFile[]>} the oldest first; a file that is there compressed and not
 *   compressed (its compressing has not ended yet, or was cut) is there once, not compressed
 */
export async function listRotated(logPath) {
  /** @type {Map<number, RotatedFile>} */
  const found = new Map();
  for (const { number, path: file, isCompressed, isUnfinished } of await entriesOf(logPath)) {
    if (isUnfinished || (isCompressed && found.has(number))) continue;
    found.set(number, { path: file, number, isCompressed });
  }
  return [...found.values()].sort((one, other) => one.number - other.number);
}

/**
 * @param {string} logPath
 * @returns {Promise<string[]>} what a compressing that was cut has left
 */
export async function listUnfinished(logPath) {
  return (await entriesOf(logPath)).filter((one) => one.isUnfinished).map((one) => one.path);
}

/** @param {string} logPath */
async function entriesOf(logPath) {
  const { dir: folder, base } = path.parse(await behindLinks(logPath));
  return (await namesIn(folder)).flatMap((name) => {
    const match = name.startsWith(base) ? SHAPE.exec(name.slice(base.length)) : null;
    if (!match) return [];
    const [, number, gz, tmp] = match;
    return {
      path: path.join(folder, name),
      number: Number(number),
      isCompressed: gz !== undefined,
      isUnfinished: tmp !== undefined,
    };
  });
}

/** @param {string} folder */
async function namesIn(folder) {
  try {
    return await readdir(folder);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return [];
    throw error;
  }
}
