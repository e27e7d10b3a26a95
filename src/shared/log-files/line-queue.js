/** What waits to be written to a log, in order and bounded, and what could not be written. */

const NEWLINE = 0x0a;

export class LineQueue {
  waitingBytes = 0;
  loss = new Loss();
  /** What is written next, or as soon as what is before it; null: nothing, or a task follows. @type {Buffer[] | null} */
  #lines = null;
  /** What was asked for last: a task, or to write lines. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** @type {(() => void)[]} */
  #paused = [];
  #highWater;
  #writeSome;

  /**
   * @param {number} highWater buffered bytes at which writers pause; at half of them they resume
   * @param {(lines: Buffer[]) => Promise<number>} writeSome takes some of these, the first ones; returns their bytes
   */
  constructor(highWater, writeSome) {
    this.#highWater = highWater;
    this.#writeSome = writeSome;
  }

  /** @param {Buffer} lines that are complete @returns {boolean} false: pause until it is `drained` */
  write(lines) {
    this.waitingBytes += lines.length;
    this.#lines ??= this.#writeSoon();
    this.#lines.push(lines);
    return this.waitingBytes < this.#highWater;
  }

  /** @returns {Promise<void>} when there is room again */
  async drained() {
    if (this.waitingBytes < this.#highWater) return;
    await new Promise((resolve) => this.#paused.push(() => resolve(null)));
  }

  /** @returns {Promise<void>} when everything so far is written, or counted as lost */
  flushed() {
    return this.run(async () => {});
  }

  /** @param {() => Promise<void>} task that runs between two writes @returns {Promise<void>} */
  run(task) {
    this.#lines = null;
    const done = this.#last.then(task);
    this.#last = done.catch(() => {});
    return done;
  }

  /** @returns {Buffer[]} to which more may be added meanwhile */
  #writeSoon() {
    /** @type {Buffer[]} */
    const lines = [];
    void this.run(async () => {
      while (lines.length > 0) {
        // More may come meanwhile.
        const bytes = await this.#writeSome(lines);
        this.waitingBytes -= bytes;
        if (this.waitingBytes >= this.#highWater / 2) continue;
        for (const resume of this.#paused.splice(0)) resume();
      }
      if (this.#lines === lines) this.#lines = null;
    });
    return lines;
  }
}

/** @type {Record<string, string | undefined>} */
const REASONS = {
  ENOSPC: 'disk full',
  EDQUOT: 'disk quota exceeded',
  ENXIO: 'the pipe has no reader',
  EPIPE: 'its reader has closed it',
};

/** Counted, and declared in the log itself as soon as possible. */
class Loss {
  bytes = 0;
  /** @type {string | null} */
  reason = null;
  /** What the log does not say yet. */
  #undeclared = { lines: 0, bytes: 0 };
  /** The log ends in the middle of a line. */
  isTorn = false;

  /**
   * @param {Buffer} lost the end of a line, or whole lines
   * @param {NodeJS.ErrnoException & {data?: {reason?: string}}} error
   */
  count(lost, { code, message, data }) {
    this.bytes += lost.length;
    this.#undeclared.bytes += lost.length;
    for (let at = lost.indexOf(NEWLINE); at !== -1; at = lost.indexOf(NEWLINE, at + 1)) {
      this.#undeclared.lines += 1;
    }
    this.reason = REASONS[code ?? ''] ?? data?.reason ?? code ?? message;
  }

  get isUndeclared() {
    return this.#undeclared.bytes > 0;
  }

  /** @param {(message: string) => Buffer} toLine @returns what must come before the next line */
  declaration(toLine) {
    const end = Buffer.from(this.isTorn ? '\n' : '');
    if (!this.isUndeclared) return end;
    const { lines, bytes } = this.#undeclared;
    const what =
      lines === 1 ? `1 line (${bytes} bytes) was` : `${lines} lines (${bytes} bytes) were`;
    const line = toLine(`${what} lost here (${this.reason})`);
    return Buffer.concat([end, line]);
  }

  declared() {
    this.#undeclared = { lines: 0, bytes: 0 };
    this.isTorn = false;
  }

  reset() {
    this.bytes = 0;
    this.reason = null;
    this.declared();
  }
}
