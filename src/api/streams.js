/** What a program reads one by one, with `for await`: the events of a daemon, and the lines of logs. */
import { Readable } from 'node:stream';
import { NodeclusterError } from '../errors/error.js';
import { includesEvent } from '../lifecycle/recent-events.js';
import { stayConnected, subscribe } from './feed.js';
import { askDaemon } from './find-daemon.js';
import { recordOf, sourcesOf } from './logs/log-source.js';
import { DEFAULT_LINES, MergedLogs } from './logs/merged-logs.js';
import { currentPlace, selectorsFor } from './selectors.js';

/**
 * @import { Event, LogRecord } from '../protocol/shapes.js'
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { DaemonFinder } from './feed.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { LogOptions } from './types.js'
 */

/** While this many are buffered, new events are dropped and counted. */
const MAX_BUFFERED = 1000;
/** ms; the primaries start the next daemon within seconds. */
const NEXT_DAEMON_MS = 30_000;

/**
 * @param {DaemonFinder} daemons with a connection of its own, so that the daemon notices when the reader leaves the loop
 * @param {string[]} selectors none: all apps
 * @param {object} when
 * @param {number} [when.since] epoch ms
 * @param {number} [when.until] epoch ms
 * @param {boolean} [when.follow] also what happens from now on
 * @param {() => void} [when.onListening] called when every event comes from now on, and none has come
 * @param {(from: number) => void} [when.onPartial] called if of what happened before then, some may not be known
 * @param {() => void} [when.onLost] called when a daemon is lost, before the next one is waited for; by default it ends
 * @param {() => void} [onEnd] called once
 * @returns {Stream<Event>}
 */
export function openEvents(daemons, selectors, when, onEnd = () => {}) {
  const { until = Infinity, follow = true, onListening, onPartial, onLost } = when;
  let { since = follow ? undefined : 0 } = when;
  const events = new EventBuffer();
  /** Of the last millisecond: the next daemon sends them again. @type {Event[]} */
  let latest = [];
  const add = (/** @type {Event} */ event) => {
    if (event.at > until || includesEvent(latest, event)) return;
    latest = [...latest.filter(({ at }) => at >= event.at), event];
    since = Math.max(since ?? 0, event.at);
    events.add(event);
  };
  const lose = (/** @type {NodeclusterError | null} */ error) => {
    if (onLost) onLost();
    else throw error ?? new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: daemons.home });
    since ??= Date.now();
  };
  return new Stream(async function* (signal) {
    await new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      const listen = (/** @type {{completeFrom: number}} */ { completeFrom }) => {
        if (when.since !== undefined && when.since < completeFrom) onPartial?.(completeFrom);
        if (!follow) events.end();
        else if (since === when.since) onListening?.();
        resolve();
      };
      const use = (/** @type {DaemonClient} */ client) =>
        subscribe(client, { selectors, since }, add, listen);
      const timeoutMs = NEXT_DAEMON_MS;
      stayConnected(daemons, use, { signal, onLost: lose, timeoutMs })
        .then(() => events.end())
        .catch((error) => events.end(error))
        .finally(resolve);
    });
    yield null;
    yield* events;
  }, onEnd);
}

/** Holds events until they are read. */
class EventBuffer {
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
    }
  }, onEnd);
}

/** @template T @implements {AsyncIterableIterator<T>} */
export class Stream {
  #ending = new AbortController();
  #values;
  /** Resolves when nothing is missed any more. @type {Promise<unknown>} */
  opened;

  /**
   * @param {(signal: AbortSignal) => AsyncGenerator<T | null, void>} read null: first, when nothing is missed any more
   * @param {() => void} onEnd called once
   */
  constructor(read, onEnd) {
    this.#values = this.#readUntilEnd(read, onEnd);
    // At once, so that nothing is missed that happens before the first next().
    this.opened = this.#values.next();
    this.opened.catch(() => {});
  }

  /** @param {(signal: AbortSignal) => AsyncGenerator<T | null, void>} read @param {() => void} onEnd */
  async *#readUntilEnd(read, onEnd) {
    const { signal } = this.#ending;
    try {
      yield* read(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#ending.abort();
      onEnd();
    }
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
