/** The lines of logs, read one by one as a program asks for them. */
import { sourcesOf, recordOf } from './log-source.js';
import { MergedLogs, DEFAULT_LINES } from './merged-logs.js';
import { connectToDaemon } from '../find-daemon.js';
import { selectorsFor } from '../selectors.js';
import { Stream } from '../stream.js';
import { currentPlace } from '../targets.js';

/**
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { LogRecord } from '../../protocol/shapes.js'
 * @import { LogFilter } from './log-source.js'
 * @import { LogsOptions } from './merged-logs.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { LogOptions } from '../types.js'
 */

/**
 * @typedef {Omit<LogsOptions, 'signal'> & {
 *   filter: LogFilter,
 *   fetchApps: () => Promise<LoggingApp[]>,
 * }} LogRequest
 */

/**
 * @param {LogRequest} request
 * @param {AbortSignal} signal
 * @param {() => void} onEnd
 * @returns {AsyncGenerator<LogRecord | null, undefined>} the first value is null, when the files
 *   are open
 */
async function* readRecords({ fetchApps, filter, ...options }, signal, onEnd) {
  const logs = new MergedLogs({ ...options, signal });
  try {
    const fetchSources = async () => sourcesOf(await fetchApps(), filter);
    await logs.open(await fetchSources());
    if (options.follows) logs.keepUpdated(fetchSources);
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
}

/**
 * Uses a connection of its own, because following logs goes on when the daemon is replaced.
 * @param {HomePaths} paths @param {string} role of this process @param {string[]} words
 */
async function fetchLoggingApps(paths, role, words) {
  const client = await connectToDaemon(paths, role);
  try {
    const selectors = await selectorsFor(currentPlace(), client, words);
    return (await client.request('log-files', { selectors })).apps;
  } finally {
    client.close();
  }
}

/**
 * @param {{paths: HomePaths, role: string, warn: (text: string) => void}} connection
 * @param {string[]} words
 * @param {LogOptions} options
 * @param {() => void} onEnd called once
 */
export function openLogs({ paths, role, warn }, words, options, onEnd) {
  const { follow = true, since, stream = null, grep = null } = options;
  const { lines = since ? Infinity : DEFAULT_LINES } = options;
  const request = {
    fetchApps: () => fetchLoggingApps(paths, role, words),
    filter: { stream, grep },
    past: { lines, sinceMs: since?.getTime() ?? null },
    follows: follow,
    warn: (/** @type {Error} */ { message }) => warn(message),
  };
  return new Stream((signal) => readRecords(request, signal, onEnd));
}
