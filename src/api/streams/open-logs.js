/** The log lines that a program reads. */
import { fetchLoggingApps } from '../logs/logging-apps.js';
import { DEFAULT_LINES } from '../logs/merged-logs.js';
import { LogStream } from './log-stream.js';

/**
 * @import { HomePaths } from '../../shared/home.js'
 * @import { LogOptions } from '../types.js'
 */

/**
 * @param {{paths: HomePaths, role: string, warn: (text: string) => void}} connection
 * @param {string[]} words
 * @param {LogOptions} options
 * @param {() => void} onEnd
 * @returns {LogStream}
 */
export function openLogs({ paths, role, warn }, words, options, onEnd) {
  const { follow = true, since, stream = null, grep = null } = options;
  const { lines = since ? Infinity : DEFAULT_LINES } = options;
  return new LogStream(
    {
      fetchApps: () => fetchLoggingApps(paths, role, words),
      filter: { stream, grep },
      past: { lines, sinceMs: since?.getTime() ?? null },
      follows: follow,
      warn: ({ message }) => warn(message),
    },
    onEnd,
  );
}
