/** Sends the lines of logs to a page, as it reads them. */
import { setTimeout as pause } from 'node:timers/promises';
import { levelOf } from '../../api/logs/log-source.js';
import { followLog } from '../../api/logs/merged-logs.js';
import { LEVELS } from '../../lifecycle/log-record.js';
import { NodeclusterError } from '../../errors/error.js';
import { askDaemon } from './daemon.js';
import { patternOf } from '../../show/escape.js';
import { readable } from '../../show/log-record.js';
import { Refusal } from './respond.js';

/**
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { EventWriter } from './event-writer.js'
 * @import { Live } from './live.js'
 * @import { LogEvents, LogLine } from './shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 */

/** Characters of one line. */
const MAX_MESSAGE = 4000;
/** How often to look whether the apps have other log files now. */
const CHECK_MS = 2000;

/**
 * Reads anew when the apps have other log files: a reload and another number of workers may bring them.
 * @param {HomePaths} paths
 * @param {Live} live
 * @param {ReturnType<typeof readLogRequest>} request
 * @param {EventWriter} writer
 * @param {AbortSignal} signal the page no longer shows them
 */
export async function streamLogs(paths, live, { selectors, options }, writer, signal) {
  const send = (/** @type {keyof LogEvents} */ name, /** @type {object} */ payload) =>
    writer.send(name, JSON.stringify(payload));
  /** The last problem, which is sent once. */
  let known = '';
  const warn = (/** @type {NodeclusterError} */ { message: text }) => {
    if (text !== known) send('problem', { text });
    known = text;
  };
  while (!signal.aborted) {
    let isFirst = true;
    const show = async (/** @type {Entry[]} */ entries) => {
      const shown = isFirst ? entries.slice(-options.pastLines) : entries;
      send('lines', { isFirst, records: shown.map(lineOf) });
      isFirst = false;
      await writer.drained();
    };
    const changed = new AbortController();
    const files = filesKey(live);
    const check = setInterval(() => {
      if (filesKey(live) !== files) changed.abort();
    }, CHECK_MS);
    try {
      const { apps } = await askDaemon(paths, (client) =>
        client.request('log-files', { selectors }),
      );
      await followLog(apps, show, AbortSignal.any([signal, changed.signal]), { ...options, warn });
    } catch (thrown) {
      warn(NodeclusterError.from(thrown));
      await pause(CHECK_MS, undefined, { signal }).catch(() => {});
    } finally {
      clearInterval(check);
    }
  }
}

/** @param {Entry} entry @returns {LogLine} */
function lineOf(entry) {
  const { time, app, worker, stream, message, goesOn } = readable(entry);
  const [text, level] = [message.slice(0, MAX_MESSAGE), levelOf(entry.message)];
  return { time, app, worker, stream, message: text, level, ...(goesOn && { goesOn }) };
}

/** @param {Live} live @returns {string} what the log files of the apps depend on */
function filesKey({ state: { apps } }) {
  return Object.values(apps)
    .map(({ name, generation, workers }) => `${name} ${generation} ${Object.keys(workers).length}`)
    .join('\n');
}

const PAST_LINES = 1000;

/** Which lines of which logs a page asks for. Pure. @param {URLSearchParams} query @throws {Refusal} */
export function readLogRequest(query) {
  const given = query.get('level');
  const level = LEVELS.find((each) => each === given) ?? null;
  if (given && level === null) throw new Refusal(400, `level must be one of ${LEVELS.join(', ')}.`);
  const search = query.get('search');
  return {
    selectors: [query.get('target') ?? 'all'],
    options: {
      filter: { stream: null, grep: search ? patternOf(search) : null, isRead: true, least: level },
      pastLines: PAST_LINES,
    },
  };
}
