/** Sends the lines of logs to a page, as it reads them. */
import { setTimeout as pause } from 'node:timers/promises';
import { followLog } from '../../../api/logs/log-tail.js';
import { NodeclusterError } from '../../../errors/error.js';
import { askDaemon } from '../ask-daemon.js';
import { levelOf } from './log-level.js';

/**
 * @import { Entry } from '../../../api/logs/log-source.js'
 * @import { EventWriter } from '../http/event-writer.js'
 * @import { Live } from '../live/live.js'
 * @import { LogEvents, LogLine } from '../shapes.js'
 * @import { HomePaths } from '../../../shared/home.js'
 * @import { LogRequest } from './read-log-request.js'
 */

/** Characters of one line. */
const MAX_MESSAGE = 4000;
/** How often to look whether the apps have other log files now. */
const CHECK_MS = 2000;

/**
 * @param {HomePaths} paths
 * @param {Live} live
 * @param {LogRequest} request
 * @param {EventWriter} writer
 * @param {AbortSignal} signal the page no longer shows them
 * @returns {Promise<void>}
 */
export async function streamLogs(paths, live, request, writer, signal) {
  const send = (/** @type {keyof LogEvents} */ name, /** @type {object} */ payload) =>
    writer.send(name, JSON.stringify(payload));
  /** @type {string | null} the last problem, which is sent once */
  let known = null;
  while (!signal.aborted) {
    const problem = await followOnce(
      paths,
      live,
      request,
      showTo(writer, send, request.lines),
      signal,
    );
    if (problem === null) continue;
    if (problem !== known) send('problem', { text: problem });
    known = problem;
    await pause(CHECK_MS, undefined, { signal }).catch(() => {});
  }
}

/**
 * Until the apps have other log files: a reload and another number of workers may bring them.
 * @param {HomePaths} paths
 * @param {Live} live
 * @param {LogRequest} request
 * @param {(entries: Entry[]) => Promise<void>} show
 * @param {AbortSignal} signal
 * @returns {Promise<string | null>} what the problem is
 */
async function followOnce(paths, live, { selectors, options }, show, signal) {
  const changed = new AbortController();
  const files = filesKey(live);
  const check = setInterval(() => {
    if (filesKey(live) !== files) changed.abort();
  }, CHECK_MS);
  try {
    const { apps } = await askDaemon(paths, (client) => client.request('log-files', { selectors }));
    await followLog(apps, show, AbortSignal.any([signal, changed.signal]), options);
    return null;
  } catch (thrown) {
    return NodeclusterError.from(thrown).message;
  } finally {
    clearInterval(check);
  }
}

/**
 * @param {EventWriter} writer
 * @param {(name: keyof LogEvents, payload: object) => void} send
 * @param {number} lines to show at first
 * @returns {(entries: Entry[]) => Promise<void>}
 */
function showTo(writer, send, lines) {
  let isFirst = true;
  return async (entries) => {
    const shown = isFirst ? entries.slice(-lines) : entries;
    send('lines', { isFirst, records: shown.map(lineOf) });
    isFirst = false;
    await writer.drained();
  };
}

/** @param {Entry} entry @returns {LogLine} */
function lineOf({ time, app, worker, stream, message, goesOn }) {
  const line = {
    time,
    app,
    worker,
    stream,
    message: message.slice(0, MAX_MESSAGE),
    level: levelOf(message),
  };
  return goesOn ? { ...line, goesOn } : line;
}

/** @param {Live} live @returns {string} what the log files of the apps depend on */
function filesKey({ state: { apps } }) {
  return Object.values(apps)
    .map(({ name, generation, workers }) => `${name} ${generation} ${Object.keys(workers).length}`)
    .join('\n');
}
