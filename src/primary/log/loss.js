/** Log that could not be written: counted, and declared in the log itself as soon as possible. */

/** @type {Record<string, string | undefined>} */
const REASONS = {
  ENOSPC: 'disk full',
  EDQUOT: 'disk quota used up',
  ENXIO: 'nobody reads the pipe',
};

export class Loss {
  bytes = 0;
  /** @type {string | null} */
  reason = null;
  #undeclared = 0;
  /** The log ends in the middle of a line. */
  isTorn = false;

  /** @param {number} bytes @param {NodeJS.ErrnoException} error */
  count(bytes, error) {
    this.bytes += bytes;
    this.#undeclared += bytes;
    this.reason = reasonOf(error);
  }

  /** Whether something was lost that the log does not say yet. */
  get isUndeclared() {
    return this.#undeclared > 0;
  }

  /**
   * @param {(message: string) => Buffer} toLine
   * @returns {Buffer} what the log must say before it goes on
   */
  declaration(toLine) {
    /** @type {Buffer[]} */
    const parts = this.isTorn ? [Buffer.from('\n')] : [];
    if (this.isUndeclared) {
      parts.push(toLine(`${this.#undeclared} bytes of log were lost here (${this.reason})`));
    }
    return Buffer.concat(parts);
  }

  declared() {
    this.#undeclared = 0;
  }

  forget() {
    this.bytes = 0;
    this.reason = null;
    this.#undeclared = 0;
  }
}

/** @param {NodeJS.ErrnoException} error */
function reasonOf({ code, message }) {
  return REASONS[code ?? ''] ?? code ?? message;
}
