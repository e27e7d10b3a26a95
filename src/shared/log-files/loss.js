/** Log that could not be written: counted, and declared in the log itself as soon as possible. */

const NEWLINE = 0x0a;

/** @type {Record<string, string | undefined>} */
const REASONS = {
  ENOSPC: 'disk full',
  EDQUOT: 'disk quota exceeded',
  ENXIO: 'the pipe has no reader',
  EPIPE: 'its reader has closed it',
};

export class Loss {
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
    this.#undeclared.lines += countLines(lost);
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

/** @param {Buffer} bytes */
function countLines(bytes) {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
