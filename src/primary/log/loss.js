/** Log that could not be written: counted, and declared in the log itself as soon as possible. */

/** @type {Record<string, string | undefined>} */
const REASONS = {
  ENOSPC: 'disk full',
  EDQUOT: 'disk quota exceeded',
  ENXIO: 'the pipe has no reader',
};

export class Loss {
  bytes = 0;
  /** @type {string | null} */
  reason = null;
  #undeclared = 0;
  /** The log ends in the middle of a line. */
  isTorn = false;

  /** @param {number} bytes @param {NodeJS.ErrnoException & {data?: {reason?: string}}} error */
  count(bytes, { code, message, data }) {
    this.bytes += bytes;
    this.#undeclared += bytes;
    this.reason = REASONS[code ?? ''] ?? data?.reason ?? code ?? message;
  }

  /** The log does not yet say what was lost. */
  get isUndeclared() {
    return this.#undeclared > 0;
  }

  /** @param {(message: string) => Buffer} toLine @returns what must come before the next line */
  declaration(toLine) {
    const end = Buffer.from(this.isTorn ? '\n' : '');
    if (!this.isUndeclared) return end;
    const line = toLine(`${this.#undeclared} bytes of log were lost here (${this.reason})`);
    return Buffer.concat([end, line]);
  }

  declared() {
    this.#undeclared = 0;
    this.isTorn = false;
  }

  reset() {
    this.bytes = 0;
    this.reason = null;
    this.declared();
  }
}
