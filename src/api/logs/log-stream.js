/** The lines of logs, read one by one as a program asks for them. */
import { sourcesOf, recordOf } from './log-source.js';
import { MergedLogs, DEFAULT_LINES } from './merged-logs.js';
import { connectToDaemon } from '../find-daemon.js';
import { selectorsFor } from '../selectors.js';
import { Stream } from '../event-stream.js';
import { currentPlace } from '../targets.js';

/**
 * @import { LogRecord } from '../../protocol/shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { LogOptions } from '../types.js'
 */

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
  // A connection of its own, because following logs goes on when the daemon is replaced.
  const fetchSources = async () => {
    const client = await connectToDaemon(paths, role);
    try {
      const selectors = await selectorsFor(currentPlace(), client, words);
      const { apps } = await client.request('log-files', { selectors });
      return sourcesOf(apps, { stream, grep });
    } finally {
      client.close();
    }
  };
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
