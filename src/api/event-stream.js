/** The events of a daemon, buffered until they are read one by one. */
import { Stream } from './stream.js';

/**
 * @import { Event } from '../protocol/shapes.js'
 * @import { DaemonClient } from '../protocol/methods.js'
 */

/** While this many are buffered, new events are dropped and counted. */
const MAX_BUFFERED = 1000;

/**
 * @param {Promise<DaemonClient>} connecting a connection of its own, so that the daemon notices when
 *   the program leaves the loop
 * @param {string[]} selectors none: all apps
 * @param {() => void} onEnd called once
 * @returns {Stream<Event>}
 */
export function openEvents(connecting, selectors, onEnd) {
  return new Stream(async function* (signal) {
    const close = () => {
      connecting.then((client) => client.close()).catch(() => {});
    };
    signal.addEventListener('abort', close);
    try {
      const events = new EventBuffer();
      await subscribe(await connecting, selectors, events);
      yield null;
      yield* events;
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      close();
      onEnd();
    }
  });
}

/**
 * @param {DaemonClient} client @param {string[]} selectors @param {EventBuffer} events
 * @returns {Promise<void>} when the daemon sends every event, or the connection has ended
 */
function subscribe(client, selectors, events) {
  return new Promise((resolve) => {
    const ended = client.request(
      'events',
      { selectors },
      {
        onNotification: (kind, payload) => {
          if (kind === 'event') events.add(payload);
          else resolve();
        },
      },
    );
    ended.catch((error) => events.end(error)).finally(resolve);
  });
}

/** Holds events until they are read. */
export class EventBuffer {
  /** @type {Event[]} */
  #events = [];
  #missed = 0;
  /** @type {Error | null} */
  #failure = null;
  #hasEnded = false;
  #wake = () => {};

  /** @param {Event} event */
  add(event) {
    if (this.#events.length >= MAX_BUFFERED) {
      this.#missed += 1;
      return;
    }
    this.#addMissed();
    this.#events.push(event);
    this.#wake();
  }

  /** @param {Error | null} [error] thrown to the reader after the buffered events; null: there are no more */
  end(error = null) {
    this.#failure = error;
    this.#hasEnded = true;
    this.#wake();
  }

  /** @returns {AsyncGenerator<Event>} */
  async *[Symbol.asyncIterator]() {
    for (;;) {
      if (this.#events.length === 0) this.#addMissed();
      const event = this.#events.shift();
      if (event) yield event;
      else if (this.#failure) throw this.#failure;
      else if (this.#hasEnded) return;
      else await new Promise((resolve) => (this.#wake = () => resolve(null)));
    }
  }

  #addMissed() {
    if (this.#missed > 0)
      this.#events.push({ type: 'missed', at: Date.now(), count: this.#missed });
    this.#missed = 0;
  }
}
