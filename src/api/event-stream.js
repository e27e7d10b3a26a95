/** Events between who sends them and who takes them one by one: bounded, and honest about it. */
/** @import { Event } from './types.js' */

/** Events that wait to be taken. */
const MAX_WAITING = 1000;

/** @implements {AsyncIterableIterator<Event>} */
export class EventStream {
  /** @type {Event[]} */
  #waiting = [];
  #missed = 0;
  /** @type {{error: Error | null} | null} */
  #end = null;
  /** @type {{resolve: (result: IteratorResult<Event>) => void, reject: (error: Error) => void}[]} */
  #takers = [];
  #onLeave;

  /** @param {() => void} onLeave called once, when nobody takes any more */
  constructor(onLeave) {
    this.#onLeave = onLeave;
  }

  /** @param {Event} event */
  push(event) {
    if (this.#end) return;
    const taker = this.#takers.shift();
    if (taker) return taker.resolve({ value: event, done: false });
    if (this.#waiting.length >= MAX_WAITING) {
      this.#missed += 1;
      return;
    }
    const missed = this.#takeMissed();
    this.#waiting.push(...(missed ? [missed] : []), event);
  }

  /** @param {Error | null} error thrown to who takes; null: it just ends */
  end(error = null) {
    if (this.#end) return;
    this.#end = { error };
    for (const { resolve, reject } of this.#takers.splice(0)) {
      if (error) reject(error);
      else resolve({ value: undefined, done: true });
    }
    this.#onLeave();
  }

  /** @returns {Promise<IteratorResult<Event>>} */
  async next() {
    const value = this.#waiting.shift() ?? this.#takeMissed();
    if (value !== undefined) return { value, done: false };
    if (this.#end?.error) throw this.#end.error;
    if (this.#end) return { value: undefined, done: true };
    return new Promise((resolve, reject) => this.#takers.push({ resolve, reject }));
  }

  /** @returns {Promise<IteratorResult<Event>>} */
  async return() {
    this.#waiting = [];
    this.#missed = 0;
    this.end();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** @returns {Event | undefined} */
  #takeMissed() {
    const count = this.#missed;
    this.#missed = 0;
    return count === 0 ? undefined : { type: 'missed', at: Date.now(), count };
  }
}
