/** What a program reads one by one, with `for await`: the events of a daemon, and the lines of logs. */
import { Readable } from 'node:stream';
import { subscribe } from './feed.js';
import { askDaemon } from './find-daemon.js';
import { recordOf, sourcesOf } from './logs/log-source.js';
import { DEFAULT_LINES, MergedLogs } from './logs/merged-logs.js';
import { currentPlace, selectorsFor } from './selectors.js';

/**
 * @import { Event, LogRecord } from '../protocol/shapes.js'
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { LogOptions } from './types.js'
 */

/** While this many are buffered, new events are dropped and counted. */
const MAX_BUFFERED = 1000;

/**
 * @param {Promise<DaemonClient>} connecting of its own, so that the daemon notices when the program leaves the loop
 * @param {string[]} selectors none: all apps
 * @param {{since?: Date, follow?: boolean}} when
 * @param {() => void} onEnd called once
 */
export function openEvents(connecting, selectors, { since, follow = true }, onEnd) {
  return new Stream(async function* (signal) {
    const close = () => {
      connecting.then((client) => client.close()).catch(() => {});
    };
    signal.addEventListener('abort', close);
    try {
      const events = new EventBuffer();
      const client = await connecting;
      await new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
        const onListening = () => {
          if (!follow) events.end();
          resolve();
        };
        const from = since?.getTime() ?? (follow ? undefined : 0);
        subscribe(client, { selectors, since: from }, events, onListening)
          .catch((error) => events.end(error))
          .finally(resolve);
      });
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

/** Holds events until they are read. */
export class EventBuffer {
  #queue = new Readable({ objectMode: true, highWaterMark: 1, read: () => this.#addMissed() });
  #missed = 0;
  #hasEnded = false;
  /** @type {Error | null} */
  #failure = null;

  /** @param {Event} event */
  add(event) {
    if (this.#hasEnded) return;
    if (this.#queue.readableLength >= MAX_BUFFERED) this.#missed += 1;
    else {
      this.#addMissed();
      this.#queue.push(event);
    }
  }

  /** @param {Error | null} [error] thrown to the reader after the buffered events; null: there are no more */
  end(error = null) {
    this.#failure ??= error;
    if (!this.#hasEnded) this.#addMissed();
    this.#hasEnded = true;
    this.#queue.push(null);
  }

  /** @returns {AsyncGenerator<Event>} */
  async *[Symbol.asyncIterator]() {
    yield* this.#queue;
    if (this.#failure) throw this.#failure;
  }

  #addMissed() {
    const count = this.#missed;
    this.#missed = 0;
    if (count > 0) this.#queue.push({ type: 'missed', at: Date.now(), count });
  }
}

/**
 * @param {{paths: HomePaths, role: string, warn: (text: string) => void}} connection
 * @param {string[]} words
 * @param {LogOptions} options
 * @param {() => void} onEnd called once
 * @returns {Stream<LogRecord>}
 */
export function openLogs({ paths, role, warn }, words, options, onEnd) {
  const { follow = true, since, stream = null, grep = null } = options;
  const { lines = since ? Infinity : DEFAULT_LINES } = options;
  const fetchSources = () =>
    askDaemon(paths, role, async (client) => {
      const selectors = await selectorsFor(currentPlace(), client, words);
      const { apps } = await client.request('log-files', { selectors });
      return sourcesOf(apps, { stream, grep });
    });
  return new Stream(async function* (signal) {
    const logs = new MergedLogs({
      past: { lines, sinceMs: since?.getTime() ?? null },
      follows: follow,
      warn: ({ message }) => warn(message),
      signal,
    });
    try {
      await logs.open(await fetchSources());
      if (follow) logs.keepUpdated(fetchSources);
      yield null;
      for await (const batch of logs.batches()) {
        for (const entry of batch) {
          if (signal.aborted) return;
          yield recordOf(entry);
        }
      }
    } finally {
      await logs.close();
      onEnd();
    }
  });
}

/** @template T @implements {AsyncIterableIterator<T>} */
export class Stream {
  #ending = new AbortController();
  #values;
  /** Resolves when nothing is missed any more. @type {Promise<unknown>} */
  opened;

  /** @param {(signal: AbortSignal) => AsyncGenerator<T | null, void>} read null: first, when nothing is missed any more */
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
