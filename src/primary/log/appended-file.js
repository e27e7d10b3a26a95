/**
 * The file behind a log: opened when it is needed, private, only ever appended to, and opened
 * anew when its path has come to mean another file (somebody moved, removed or rotated it).
 */
import { constants } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * @import { Stats } from 'node:fs'
 * @import { FileHandle } from 'node:fs/promises'
 */

const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
/** A named pipe that nobody reads would hold up a thread of the few that all files share. */
const TO_APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;
/** How long until a pipe that is full is tried again, in ms. */
const FULL_MS = 20;
const NEWLINE = 0x0a;

export class AppendedFile {
  /** @type {FileHandle | null} */
  #handle = null;
  /** @type {Stats | null} of what is open */
  #opened = null;

  /** @param {string} path */
  constructor(path) {
    this.path = path;
  }

  /**
   * Makes sure that what the path means now is open.
   * @returns {Promise<Stats>}
   * @throws {NodeJS.ErrnoException}
   */
  async ready() {
    const named = await statOrNull(this.path);
    if (named && this.#opened?.ino === named.ino && this.#opened.dev === named.dev) return named;
    await this.close();
    this.#handle = await openWithFolder(this.path);
    this.#opened = await this.#handle.stat();
    return this.#opened;
  }

  /**
   * @param {Buffer} bytes
   * @param {(count: number) => void} onWritten called for each part that is written, also before
   *   an error
   * @throws {NodeJS.ErrnoException}
   */
  async append(bytes, onWritten) {
    for (let at = 0; at < bytes.length;) {
      const count = await this.#write(bytes.subarray(at));
      at += count;
      onWritten(count);
    }
  }

  /**
   * @param {Buffer} bytes
   * @returns {Promise<number>} how many of them are written
   */
  async #write(bytes) {
    try {
      return (await this.#open.write(bytes, 0, bytes.length, null)).bytesWritten;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') throw error;
      await pause(FULL_MS);
      return 0;
    }
  }

  /** Leaves nothing in it. */
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

/**
 * @param {string} file
 * @returns {Promise<boolean>} its last line has no end; false where that cannot be seen
 */
export async function endsWithinLine(file) {
  try {
    const found = await stat(file);
    if (!found.isFile() || found.size === 0) return false;
    const handle = await open(file);
    try {
      const { buffer } = await handle.read(Buffer.of(NEWLINE), 0, 1, found.size - 1);
      return buffer[0] !== NEWLINE;
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
}

/** @param {string} file */
async function openWithFolder(file) {
  try {
    return await open(file, TO_APPEND, 0o600);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    await makeFolder(path.dirname(file));
    return open(file, TO_APPEND, 0o600);
  }
}

/**
 * One by one: mkdir with `recursive` never returns for a path below /proc (Node 20).
 * @param {string} folder
 */
async function makeFolder(folder) {
  if (await statOrNull(folder)) return;
  await makeFolder(path.dirname(folder));
  await mkdir(folder).catch(ignore('EEXIST'));
}

/** @param {string} file */
function statOrNull(file) {
  return stat(file).catch(ignore('ENOENT'));
}

/**
 * @param {string} code of an error that means: there is nothing to do
 * @returns {(error: NodeJS.ErrnoException) => null}
 */
function ignore(code) {
  return (error) => {
    if (error.code !== code) throw error;
    return null;
  };
}
