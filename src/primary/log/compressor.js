/**
 * Compresses rotated log files, one at a time. A file stays until its compressed form is on the disk; a primary that is
 * killed meanwhile leaves a `.tmp`.
 */
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { listRotated } from '../../shared/log-files/rotated-files.js';
import { ignoreError } from '../../errors/error.js';
import { logInPrimary } from './primary-log.js';

export class Compressor {
  /** Logs that may have rotated files to compress. @type {Set<string>} */
  #waiting = new Set();
  #working = Promise.resolve();
  #stop = new AbortController();

  /** @param {string} logPath whose rotated files need compressing */
  add(logPath) {
    if (this.#waiting.has(logPath)) return;
    this.#waiting.add(logPath);
    this.#working = this.#working.then(async () => {
      this.#waiting.delete(logPath);
      await this.#compressAll(logPath).catch(({ message }) => {
        if (!this.#stop.signal.aborted) logInPrimary(`${logPath}: ${message}`);
      });
    });
  }

  /** Aborts the current file and removes its unfinished copy. */
  async stop() {
    this.#stop.abort();
    await this.#working;
  }

  /** @param {string} logPath */
  async #compressAll(logPath) {
    for (const { path, isCompressed } of await listRotated(logPath)) {
      if (isCompressed || this.#stop.signal.aborted) continue;
      // An empty one is a reserved name.
      if (await sizeOf(path)) await this.#compress(path);
    }
  }

  /** @param {string} file */
  async #compress(file) {
    const finished = `${file}.gz`;
    const unfinished = `${finished}.tmp`;
    // The name is the lock: two apps may write one log, and each has its compressor.
    const output = await open(unfinished, 'wx', 0o600).catch(ignoreError('EEXIST'));
    if (!output) return;
    try {
      // Few logs are compressed, so few primaries need the memory for it.
      const { createGzip } = await import('node:zlib');
      const input = createReadStream(file);
      const { signal } = this.#stop;
      const compressed = output.createWriteStream({ flush: true });
      await pipeline(input, createGzip(), compressed, { signal }).catch(ignoreError('ENOENT'));
      // It may have been removed meanwhile, or written to by another app that still had it open.
      if ((await sizeOf(file)) !== input.bytesRead) return;
      await rename(unfinished, finished);
      await rm(file, { force: true });
    } finally {
      await rm(unfinished, { force: true });
    }
  }
}

/** @param {string} file */
async function sizeOf(file) {
  const found = await stat(file).catch(ignoreError('ENOENT'));
  return found?.size;
}
