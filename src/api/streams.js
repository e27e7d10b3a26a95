/** What a program reads one by one, with `for await`: the events of a daemon, and the lines of logs. */
import { Readable } from 'node:stream';
import { NodeclusterError } from '../errors/error.js';
import { includesEvent } from '../lifecycle/recent-events.js';
import { stayConnected, subscribe } from './feed.js';
import { askDaemon } from './find-daemon.js';
import { recordOf, sourcesOf } from './logs/log-source.js';
import { DEFAULT_LINES, MergedLogs, isUnknown } from './logs/merged-logs.js';
import { currentPlace, selectorsFor } from './selectors.js';

/**
 * @import { Event } from '../protocol/shapes.js'
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { DaemonFinder } from './feed.js'
 * @import { HomePaths } from '../shared/home.js'
 * @import { LogOptions } from './types.js'
 *
 * @typedef {ReturnType<typeof openEvents> | ReturnType<typeof openLogs>} Stream
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
 * @param {() => void} [when.onLost] called when a daemon is lost, before the next one is waited for; by default it ends
 */
export function openEvents(daemons, selectors, when) {
  const { until = Infinity, follow = true, onListening, onLost } = when;
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
  return streamOf(async function* (signal) {
    await new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      const listen = () => {
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
    yield* events.read();
  });
}

/** Holds events until they are read. */
class EventBuffer {
  /** @type {Event[]} */
  #queue = [];
  #isOver = false;
  /** @type {unknown} */
  #failure;
  #wake = () => {};

  /** @param {Event} event */
  add(event) {
    if (this.#isOver) return;
    const last = this.#queue.at(-1);
    if (this.#queue.length < MAX_BUFFERED) this.#queue.push(event);
    else if (last?.type === 'missed') last.count += 1;
    else this.#queue.push({ type: 'missed', at: Date.now(), count: 1 });
    this.#wake();
  }

  /** @param {unknown} [failure] thrown to the reader after the buffered events */
  end(failure) {
    this.#failure = failure;
    this.#isOver = true;
    this.#wake();
  }

  async *read() {
    for (;;) {
      const event = this.#queue.shift();
      if (event) yield event;
      else if (this.#isOver) break;
      else
        await new Promise((/** @type {(value?: unknown) => void} */ wake) => (this.#wake = wake));
    }
    if (this.#failure) throw this.#failure;
  }
}

/**
 * @param {{paths: HomePaths, role: string, warn: (text: string) => void}} connection
 * @param {string[]} words
 * @param {LogOptions} options
 */
export function openLogs({ paths, role, warn }, words, options) {
  const { follow = true, since, stream = null, grep = null } = options;
  const { lines = since ? Infinity : DEFAULT_LINES } = options;
  const fetchSources = () =>
    askDaemon(paths, role, async (client) => {
      const selectors = await selectorsFor(currentPlace(), client, words);
      const { apps } = await client.request('log-files', { selectors });
      return sourcesOf(apps, { stream, grep });
    });
  return streamOf(async function* (signal) {
    const logs = new MergedLogs({
      past: { lines, sinceMs: since?.getTime() ?? null },
      follows: follow,
      warn: ({ message }) => warn(message),
      signal,
    });
    try {
      // It may be started later.
      const none = (/** @type {unknown} */ thrown) => {
        if (follow && isUnknown(thrown)) return [];
        throw thrown;
      };
      await logs.open(await fetchSources().catch(none));
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
  });
}

/**
 * @template T
 * @param {(signal: AbortSignal) => AsyncGenerator<T | null, void>} read null: first, when nothing is missed any more
 */
function streamOf(read) {
  const ending = new AbortController();
  const values = read(ending.signal);
  // At once, so that nothing is missed that happens before the first one is taken.
  const opened = values.next();
  opened.catch(() => {});
  const end = () => {
    ending.abort();
    values.return().catch(() => {});
  };
  const stream = new Readable({
    objectMode: true,
    highWaterMark: 1,
    async read() {
      try {
        await opened;
        const { value = null } = await values.next();
        this.push(value);
      } catch (error) {
        if (ending.signal.aborted) this.push(null);
        else this.destroy(/** @type {Error} */ (error));
      }
    },
    destroy(error, callback) {
      end();
      callback(error);
    },
  });
  return Object.assign(/** @type {Readable & AsyncIterable<T>} */ (stream), { opened, end });
}
