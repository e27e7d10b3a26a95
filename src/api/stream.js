/** What a program reads one by one, with `for await`: the lines of logs, and events. */

/**
 * @template T
 * @implements {AsyncIterableIterator<T>}
 */
export class Stream {
  #ending = new AbortController();
  #values;
  /** Resolves when nothing is missed any more. @type {Promise<unknown>} */
  opened;

  /**
   * @param {(signal: AbortSignal) => AsyncGenerator<T | null, void>} read its first value is null, when nothing is
   *   missed any more; the signal ends it, also while it waits
   */
  constructor(read) {
    this.#values = read(this.#ending.signal);
    // At once, so that nothing is missed that happens before the first next().
    this.opened = this.#values.next();
    this.opened.catch(() => {});
  }

  async next() {
    await this.opened;
    return /** @type {IteratorResult<T>} */ (await this.#values.next());
  }

  /** Stops reading, also in a next() that is waiting. */
  end() {
    this.#ending.abort();
    this.#values.return(undefined).catch(() => {});
  }

  /** @returns {Promise<IteratorResult<T>>} */
  async return() {
    this.end();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async [Symbol.asyncDispose]() {
    await this.return();
  }
}
