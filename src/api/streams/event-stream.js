/** Buffers events until they are read one by one. */
/** @import { Event } from '../../protocol/shapes.js' */

/** While this many are buffered, new events are dropped and counted. */
const MAX_BUFFERED = 1000;

/** @implements {AsyncIterableIterator<Event>} */
export class EventStream {
  /** @type {Event[]} */
  #buffer = [];
  #missed = 0;
  /** @type {{error: Error | null} | null} */
  #end = null;
  /** @type {{resolve: (result: IteratorResult<Event>) => void, reject: (error: Error) => void}[]} */
  #readers = [];
  #onEnd;

  /** @param {() => void} onEnd called once */
  constructor(onEnd) {
    this.#onEnd = onEnd;
  }

  /** @param {Event} event */
  push(event) {
    if (this.#end) return;
    const reader = this.#readers.shift();
    if (reader) {
      reader.resolve({ value: event, done: false });
    } else if (this.#buffer.length >= MAX_BUFFERED) {
      this.#missed += 1;
    } else {
      const missed = this.#takeMissed();
      if (missed) this.#buffer.push(missed);
      this.#buffer.push(event);
    }
  }

  /** @param {Error | null} error thrown to the reader after the buffered events */
  end(error = null) {
    if (this.#end) return;
    this.#end = { error };
    for (const { resolve, reject } of this.#readers.splice(0)) {
      if (error) reject(error);
      else resolve({ value: undefined, done: true });
    }
    this.#onEnd();
  }

  /** @returns {Promise<IteratorResult<Event>>} */
  async next() {
    const value = this.#buffer.shift() ?? this.#takeMissed();
    if (value) return { value, done: false };
    if (this.#end?.error) throw this.#end.error;
    if (this.#end) return { value: undefined, done: true };
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
  }

  /** @returns {Promise<IteratorResult<Event>>} */
  async return() {
    this.#buffer = [];
    this.#missed = 0;
    this.end();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async [Symbol.asyncDispose]() {
    await this.return();
  }

  /** @returns {Event | undefined} */
  #takeMissed() {
    const count = this.#missed;
    this.#missed = 0;
    return count === 0 ? undefined : { type: 'missed', at: Date.now(), count };
  }
}
