/**
 * Compresses rotated log files: one at a time, in the thread pool, and never more than half of
 * the time, so that the primary has its core for connections. What is cut in the middle leaves a
 * `.tmp`, and the file itself stays until its compressed form is on the disk.
 */
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { compressedPaths, listRotated } from '../../shared/log-files/rotated-files.js';

/** @import { FileHandle } from 'node:fs/promises' */

const CHUNK_BYTES = 64 * 1024;

export class Compressor {
  /** Logs whose rotated files are to be looked through. @type {Set<string>} */
  #waiting = new Set();
  #working = Promise.resolve();
  #isWorking = false;
  #stop = new AbortController();

  /** @param {string} logPath whose rotated files are to be compressed */
  add(logPath) {
    this.#waiting.add(logPath);
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#working = this.#work();
  }

  /** @returns {Promise<void>} when nothing is left to do */
  idle() {
    return this.#working;
  }

  /** Gives up what it is at, and leaves nothing half-done. */
  async stop() {
    this.#stop.abort();
    await this.#working;
  }

  async #work() {
    for (const logPath of this.#waiting) {
      this.#waiting.delete(logPath);
      await this.#compressAll(logPath).catch((error) => {
        if (!this.#stop.signal.aborted) process.stderr.write(`${logPath}: ${error.message}\n`);
      });
    }
    this.#isWorking = false;
  }

  /** @param {string} logPath */
  async #compressAll(logPath) {
    for (const { path, isCompressed } of await listRotated(logPath)) {
      if (isCompressed || this.#stop.signal.aborted) continue;
      // An empty one is a name that was taken for a file which is on its way.
      if (await sizeOf(path)) await this.#compress(path);
    }
  }

  /** @param {string} file */
  async #compress(file) {
    const { finished, unfinished } = compressedPaths(file);
    // The name is the lock: two apps may write one log, and each has its compressor.
    const output = await open(unfinished, 'wx', 0o600).catch(nothingIf('EEXIST'));
    if (!output) return;
    try {
      const bytes = await this.#copy(file, output);
      // Removed meanwhile; or written to by an app that had not noticed that it was moved away.
      const isWhole = (await sizeOf(file)) === bytes;
      if (isWhole) await rename(unfinished, finished);
      if (isWhole) await rm(file, { force: true });
    } finally {
      await output.close();
      await rm(unfinished, { force: true });
    }
  }

  /**
   * @param {string} file
   * @param {FileHandle} output
   * @returns {Promise<number>} how many bytes it had
   */
  async #copy(file, output) {
    const input = createReadStream(file, { highWaterMark: CHUNK_BYTES });
    const write = async (/** @type {AsyncIterable<Buffer>} */ compressed) => {
      for await (const chunk of compressed) await output.writeFile(chunk);
      await output.sync();
    };
    try {
      await pipeline(input, unhurried, createGzip(), write, { signal: this.#stop.signal });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    }
    return input.bytesRead;
  }
}

/**
 * Rests after each chunk for as long as it took.
 * @param {AsyncIterable<Buffer>} chunks
 */
async function* unhurried(chunks) {
  for await (const chunk of chunks) {
    const begun = performance.now();
    yield chunk;
    await sleep(performance.now() - begun);
  }
}

/** @param {string} file */
async function sizeOf(file) {
  const found = await stat(file).catch(nothingIf('ENOENT'));
  return found?.size;
}

/**
 * @param {string} code
 * @returns {(error: NodeJS.ErrnoException) => undefined}
 */
function nothingIf(code) {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
