/**
 * Rotated log files: `api-out.log.000017`, later `api-out.log.000017.gz`; with `rotate` also the day of the last line,
 * `api-out.log.000017.2026-11-28`. Numbers are never reused, so that readers can follow.
 */
import { lstat, open, readdir, readlink, rename, rm, truncate } from 'node:fs/promises';
import path from 'node:path';
import { NodeclusterError, ignoreError } from '../../errors/error.js';

const MAX_LINKS = 40;
const SUFFIX = /^\.(\d{6,15})(\.\d{4}-\d\d-\d\d)?(\.gz)?(\.tmp)?$/;

/** @typedef {{path: string, number: number, isCompressed: boolean}} RotatedFile */

/** @param {string} logPath @param {number} number @param {string} [day] */
export function rotatedPath(logPath, number, day) {
  return `${logPath}.${String(number).padStart(6, '0')}${day ? `.${day}` : ''}`;
}

/**
 * Rotation moves the file that a link leads to, not the link. One of another user is not followed: it could lead to any file.
 * @param {string} logPath @returns {Promise<string>} the path of that file, which need not exist
 */
export async function resolveLinks(logPath) {
  let file = logPath;
  for (let count = 0; count < MAX_LINKS; count++) {
    const linked = isOpenDescriptor(file) ? null : await readTrustedLink(file);
    if (linked === null) break;
    file = path.resolve(path.dirname(file), linked);
  }
  return file;
}

/** @param {string} file @returns {boolean} where `/dev/stdout` leads; such a link names no path */
export function isOpenDescriptor(file) {
  return /^\/proc\/\w+\/fd\/\d+$/.test(file);
}

/** @param {string} logPath @returns {Promise<RotatedFile[]>} the oldest first; if a file is not compressed to its end, the original */
export async function listRotated(logPath) {
  /** By the path before it was compressed. @type {Map<string, RotatedFile>} */
  const found = new Map();
  for (const { number, path: file, isCompressed, isUnfinished } of await entriesOf(logPath)) {
    const original = isCompressed ? file.slice(0, -'.gz'.length) : file;
    if (isUnfinished || (isCompressed && found.has(original))) continue;
    found.set(original, { path: file, number, isCompressed });
  }
  return [...found.values()].sort((one, other) => one.number - other.number);
}

/** What a primary left that was killed while it compressed. @param {string} logPath */
export async function removeUnfinished(logPath) {
  for (const { path, isUnfinished } of await entriesOf(logPath))
    if (isUnfinished) await rm(path, { force: true });
}

/**
 * Another process that writes to the same file may move it too: then a small file is moved, and nothing is lost.
 * @param {string} logPath @param {string} [day] of its last line, for the name
 */
export async function moveAway(logPath, day) {
  const file = await resolveLinks(logPath);
  const rotated = await reserveName(file, day);
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

/**
 * And removes the rotated files, of each also if another one fails.
 * @param {string[]} files to which nothing writes
 * @throws {NodeclusterError} E_LOG_FILE
 */
export async function emptyLogFiles(files) {
  const empty = async (/** @type {string} */ file) => {
    await prune(file, 0);
    return truncate(file).catch(ignoreError('ENOENT'));
  };
  const failures = await Promise.all(
    files.map((file) => empty(file).catch(({ code: reason }) => ({ file, reason }))),
  );
  const failure = failures.find(Boolean);
  if (failure) throw new NodeclusterError('E_LOG_FILE', failure);
}

/** @param {string} logPath @param {string} [day] @returns {Promise<string>} an empty file */
async function reserveName(logPath, day) {
  // rename() would replace a file of that name, so the name is reserved first.
  const newest = (await listRotated(logPath)).at(-1)?.number ?? 0;
  for (let number = newest + 1; ; number++) {
    const path = rotatedPath(logPath, number, day);
    const reserved = await open(path, 'wx', 0o600).catch(ignoreError('EEXIST'));
    if (!reserved) continue;
    await reserved.close();
    return path;
  }
}

/** @param {string} logPath */
async function entriesOf(logPath) {
  const { dir: directory, base } = path.parse(await resolveLinks(logPath));
  const names = await readdir(directory || '.').catch(ignoreError('ENOENT'));
  return (names ?? []).flatMap((name) => {
    const match = name.startsWith(base) ? SUFFIX.exec(name.slice(base.length)) : null;
    if (!match) return [];
    const [, number, , gz, tmp] = match;
    return {
      path: path.join(directory, name),
      number: Number(number),
      isCompressed: gz !== undefined,
      isUnfinished: tmp !== undefined,
    };
  });
}

/** @param {string} file @returns {Promise<string | null>} null: it is not a link that is followed */
async function readTrustedLink(file) {
  const before = await lstat(file).catch(() => null);
  const isTrusted = before?.uid === 0 || before?.uid === process.geteuid?.();
  if (!before?.isSymbolicLink() || !isTrusted) return null;
  const linked = await readlink(file).catch(() => null);
  const after = await lstat(file).catch(() => null);
  // Another user may have put a link of their own there meanwhile.
  return after?.ino === before.ino && after.ctimeMs === before.ctimeMs ? linked : null;
}
