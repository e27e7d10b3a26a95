/** The events of a daemon, buffered until they are read one by one. */

/**
 * @import { Event } from '../protocol/shapes.js'
 * @import { DaemonClient } from '../protocol/methods.js'
 */

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

/**
 * Fills a stream with the events of a daemon.
 * @param {Promise<DaemonClient>} connecting a connection of its own, so that the daemon notices when
 *   the program leaves the loop
 * @param {string[]} selectors none: all apps
 * @param {() => void} onEnd called once
 * @returns {{stream: EventStream, opened: Promise<void>}} opened: the daemon sends every event from
 *   now on, or the stream has ended
 */
export function openEvents(connecting, selectors, onEnd) {
  let isEnded = false;
  const stream = new EventStream(() => {
    isEnded = true;
    connecting.then((client) => client.close()).catch(() => {});
    onEnd();
  });
  const opened = connecting
    .then((client) => (isEnded ? undefined : subscribe(client, selectors, stream)))
    .catch((error) => stream.end(error));
  return { stream, opened };
}

/**
 * @param {DaemonClient} client
 * @param {string[]} selectors
 * @param {EventStream} stream
 * @returns {Promise<void>} resolves when the stream is subscribed or has ended
 */
function subscribe(client, selectors, stream) {
  return new Promise((resolve) => {
    const ended = client.request(
      'events',
      { selectors },
      {
        onNotification: (kind, payload) => {
          if (kind === 'event') stream.push(payload);
          else resolve();
        },
      },
    );
    ended.catch((error) => stream.end(error)).finally(resolve);
  });
}
