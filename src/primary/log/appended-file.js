/** The file of a log: private, only appended to, and opened again when its path names another file. */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isOpenDescriptor, resolveLinks } from '../../shared/log-files/rotated-files.js';
import { writeAll } from '../../shared/log-files/standard-stream.js';
import { assertOwned, explainLink } from '../../shared/files/owned-file.js';
import { ignoreError } from '../../errors/error.js';
import { makeDirectory } from '../../shared/files/directories.js';

/**
 * @import { Stats } from 'node:fs'
 * @import { FileHandle } from 'node:fs/promises'
 */

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** Not blocking: a named pipe without a reader would occupy one of the few threads for files. */
const TO_APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;
const NEWLINE = 0x0a;

export class AppendedFile {
  /** @type {FileHandle | null} */
  #handle = null;
  /** About the open file. @type {Stats | null} */
  #opened = null;

  /** @param {string} path @param {number | null} [owner] of the file, if the app has a `uid`; then it is not a link either */
  constructor(path, owner = null) {
    this.path = path;
    this.owner = owner;
  }

  /** Makes sure that the file that the path names now is open. @throws {NodeclusterError} E_FILE_UNTRUSTED */
  async ready() {
    const named = await statOrNull(this.path);
    if (named && this.#opened?.ino === named.ino && this.#opened.dev === named.dev) return named;
    await this.close();
    const handle = await openWithDirectory(this.path, this.owner !== null);
    const stats = await handle.stat();
    try {
      if (this.owner !== null && stats.isFile()) assertOwned(this.path, stats, this.owner);
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.#handle = handle;
    this.#opened = stats;
    return stats;
  }

  /** @param {Buffer} bytes @param {(count: number) => void} onWritten called for each part, also before an error */
  append(bytes, onWritten) {
    return writeAll(this.#open.fd, bytes, onWritten);
  }

  async empty() {
    if (await statOrNull(this.path)) {
      await this.ready();
      await this.#open.truncate(0);
    }
  }

  async close() {
    const handle = this.#handle;
    this.#handle = null;
    this.#opened = null;
    await handle?.close();
  }

  get #open() {
    return /** @type {FileHandle} */ (this.#handle);
  }
}

/** Whether its last line is unfinished, and when it was written; Infinity: no content, or unreadable. @param {string} file */
export async function inspectEnd(file) {
  const nothing = { isTorn: false, writtenMs: Infinity };
  try {
    const found = await stat(file);
    if (!found.isFile() || found.size === 0) return nothing;
    const handle = await open(file, O_RDONLY | O_NONBLOCK);
    try {
      const { buffer } = await handle.read(Buffer.of(NEWLINE), 0, 1, found.size - 1);
      return { isTorn: buffer[0] !== NEWLINE, writtenMs: found.mtimeMs };
    } finally {
      await handle.close();
    }
  } catch {
    return nothing;
  }
}

/** @param {string} path @param {boolean} isStrict no link is followed */
async function openWithDirectory(path, isStrict) {
  const file = isStrict ? path : await resolveLinks(path);
  const flags = isOpenDescriptor(file) && !isStrict ? TO_APPEND : TO_APPEND | O_NOFOLLOW;
  const openFile = () => open(file, flags, 0o600);
  try {
    const handle = await openFile().catch(ignoreError('ENOENT'));
    if (handle) return handle;
    await makeDirectory(dirname(file));
    return await openFile();
  } catch (error) {
    throw explainLink(error, file);
  }
}

/** @param {string} file */
function statOrNull(file) {
  return stat(file).catch(ignoreError('ENOENT'));
}
