/** The desired state on disk, as every process reads it: what is damaged for one is so for all. */
import { lstatSync } from 'node:fs';
import { NodeclusterError, attempt } from '../../errors/error.js';
import { readSmallFile } from './small-file.js';

/** To be raised with whatever a daemon of this version must not lose; settings that it does not know are dropped. */
export const FORMAT = 1;

/** Bytes of a desired state; a hundred apps with long environments take about 100 KB. */
const MAX_DESIRED_BYTES = 16 * 1024 * 1024;

/**
 * Null: it does not exist.
 * @param {string} file
 * @throws {NodeclusterError} E_HOME_READ
 */
export function readDesiredFile(file) {
  try {
    return readSmallFile(file, MAX_DESIRED_BYTES);
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const isMissing = code === 'ENOENT';
    if (isMissing && lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
    const reason = isMissing ? 'it is a link to a file that does not exist' : (code ?? message);
    throw new NodeclusterError('E_HOME_READ', { file, reason }, error);
  }
}

/** @param {string} file @throws {NodeclusterError} E_HOME_READ, also if a newer version has written it */
export function checkDesired(file) {
  const text = readDesiredFile(file);
  // A damaged file is replaced by the daemon.
  const format = text === null ? FORMAT : attempt(() => JSON.parse(text).format, undefined);
  if (typeof format !== 'number' || format <= FORMAT) return text;
  throw new NodeclusterError('E_HOME_READ', { file, reason: `it has the newer format ${format}` });
}

/** @param {string} text @returns {{apps: any[], nextId: unknown}} nothing in them has been checked @throws {Error} it is damaged */
function parseDesired(text) {
  const { format, apps, nextId } = JSON.parse(text);
  if (format !== FORMAT || !Array.isArray(apps)) throw new Error(`format ${format}`);
  return { apps, nextId };
}

/** @param {string} file @returns {string} where the same state is, in case that something damages the file */
export function copyOf(file) {
  return `${file}.copy`;
}

/**
 * What a daemon that starts now will find. Nothing is changed, and nothing in it checked.
 * @param {string} file
 * @throws {NodeclusterError} E_HOME_READ
 * @returns {{text: string | null, apps: any[], nextId: unknown, from: string | null}} from: the file, or its copy if it is
 *   damaged; null: both are
 */
export function findDesired(file) {
  const text = checkDesired(file);
  const none = { text: null, apps: [], nextId: 0 };
  if (text === null) return { ...none, from: file };
  const read = (/** @type {string | null} */ given, /** @type {string} */ from) =>
    attempt(() => ({ text: given, ...parseDesired(given ?? ''), from }), null);
  const copy = copyOf(file);
  return read(text, file) ?? read(readDesiredFile(copy), copy) ?? { ...none, from: null };
}
