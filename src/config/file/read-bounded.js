/** Reads a file or a stream that must contain text and be small. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { NodeclusterError } from '../../errors/error.js';

/** A hundred apps with long environments take about 100 KB. */
const MAX_BYTES = 512 * 1024;
/** Opening a named pipe without a writer would block. */
const TO_READ = constants.O_RDONLY | constants.O_NONBLOCK;
const NOT_REGULAR = 'it is not a regular file; to read from a pipe, use `-` and standard input';

/**
 * @param {string} path
 * @param {string} label how messages name it
 * @returns {Promise<string>}
 * @throws {NodeclusterError} E_CONFIG_MISSING, E_CONFIG_NOT_A_FILE, E_CONFIG_TOO_LARGE,
 *   E_CONFIG_UNREADABLE
 */
export async function readBounded(path, label) {
  const handle = await open(path, TO_READ).catch((error) => {
    throw readingError(error, label);
  });
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw new NodeclusterError('E_CONFIG_NOT_A_FILE', { file: label });
    if (!stats.isFile()) {
      throw new NodeclusterError('E_CONFIG_UNREADABLE', { file: label, reason: NOT_REGULAR });
    }
    return await readStream(handle.createReadStream({ autoClose: false }), label);
  } finally {
    await handle.close();
  }
}

/**
 * @param {AsyncIterable<Buffer|string>} stream
 * @param {string} label
 * @returns {Promise<string>}
 * @throws {NodeclusterError} E_CONFIG_TOO_LARGE, E_CONFIG_UNREADABLE
 */
export async function readStream(stream, label) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_BYTES) {
      throw new NodeclusterError('E_CONFIG_TOO_LARGE', { file: label, limit: '512 KiB' });
    }
    chunks.push(Buffer.from(chunk));
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new NodeclusterError('E_CONFIG_UNREADABLE', { file: label, reason: 'it is not UTF-8' });
  }
}

/** @param {NodeJS.ErrnoException} error @param {string} file */
function readingError(error, file) {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return new NodeclusterError('E_CONFIG_MISSING', { file });
  }
  const reason = error.code === 'EACCES' ? 'permission denied' : error.message;
  return new NodeclusterError('E_CONFIG_UNREADABLE', { file, reason }, error);
}
