/**
 * One log file: whole chunks in the order they came, appended. Writing is asynchronous, and what
 * waits is bounded: a writer is told to pause. A disk that is full costs log lines, never the
 * app: what could not be written is counted and declared as soon as there is room again.
 */
import fs from 'node:fs';

/** Bytes that may wait before writers are told to pause. */
const HIGH_WATER = 1024 * 1024;

export class LogFile {
  /** @type {Buffer[]} */
  #queue = [];
  #queuedBytes = 0;
  #isWriting = false;
  #fd = -1;
  /** @type {(() => void)[]} */
  #paused = [];
  #droppedBytes = 0;
  #undeclared = 0;

  /** @param {string} path */
  constructor(path) {
    this.path = path;
  }

  /** @returns {number} bytes that were lost since the primary began */
  get droppedBytes() {
    return this.#droppedBytes;
  }

  /**
   * @param {Buffer} chunk whole lines
   * @returns {boolean} false: pause until `whenDrained` calls
   */
  write(chunk) {
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (!this.#isWriting) this.#writeNext();
    return this.#queuedBytes < HIGH_WATER;
  }

  /** @param {() => void} listener called once, when there is room again */
  whenDrained(listener) {
    if (this.#queuedBytes < HIGH_WATER) listener();
    else this.#paused.push(listener);
  }

  /** @returns {Promise<void>} when all that was given is written, or counted as dropped */
  flushed() {
    return new Promise((resolve) => {
      const look = () => (this.#isWriting ? this.#paused.push(look) : resolve());
      look();
    });
  }

  #writeNext() {
    if (this.#queue.length === 0) return;
    this.#isWriting = true;
    const batch = Buffer.concat(this.#queue);
    this.#queue = [];
    this.#append(batch, (written, error) => {
      this.#queuedBytes -= batch.length;
      if (error) this.#countDropped(batch.length - written, error);
      this.#isWriting = false;
      this.#writeNext();
      if (this.#queuedBytes < HIGH_WATER) this.#resumeWriters();
    });
  }

  #resumeWriters() {
    const waiting = this.#paused;
    this.#paused = [];
    for (const resume of waiting) resume();
  }

  /**
   * @param {Buffer} batch
   * @param {(written: number, error: NodeJS.ErrnoException | null) => void} done
   */
  #append(batch, done) {
    const note = this.#declaration();
    const bytes = note ? Buffer.concat([note, batch]) : batch;
    this.#open((error, fd) => {
      if (error) return done(0, error);
      this.#writeAll(fd, bytes, 0, (written, failure) => {
        const own = Math.max(0, written - (bytes.length - batch.length));
        if (!failure && note) this.#undeclared = 0;
        done(failure ? own : batch.length, failure);
      });
    });
  }

  /**
   * @param {number} fd
   * @param {Buffer} bytes
   * @param {number} from
   * @param {(written: number, error: NodeJS.ErrnoException | null) => void} done
   */
  #writeAll(fd, bytes, from, done) {
    fs.write(fd, bytes, from, bytes.length - from, null, (error, written) => {
      if (error) return done(from, error);
      if (from + written === bytes.length) return done(bytes.length, null);
      this.#writeAll(fd, bytes, from + written, done);
    });
  }

  /** @param {(error: NodeJS.ErrnoException | null, fd: number) => void} done */
  #open(done) {
    if (this.#fd >= 0) return done(null, this.#fd);
    fs.open(this.path, 'a', 0o600, (error, fd) => {
      if (!error) this.#fd = fd;
      done(error, fd);
    });
  }

  #declaration() {
    if (this.#undeclared === 0) return null;
    return Buffer.from(`[nodecluster] ${this.#undeclared} bytes of log were lost here\n`);
  }

  /**
   * @param {number} bytes
   * @param {NodeJS.ErrnoException} error
   */
  #countDropped(bytes, error) {
    if (this.#undeclared === 0) process.stderr.write(`${this.path}: ${error.message}\n`);
    this.#droppedBytes += bytes;
    this.#undeclared += bytes;
  }
}
