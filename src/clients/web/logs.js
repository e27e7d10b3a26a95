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
 * @import { LogEvents, LogLine } from './shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 */

/** Characters of one line. */
const MAX_MESSAGE = 4000;
const RETRY_MS = 2000;

/**
 * @param {HomePaths} paths
 * @param {ReturnType<typeof readLogRequest>} request
 * @param {EventWriter} writer
 * @param {AbortSignal} signal the page no longer shows them
 */
export async function streamLogs(paths, { selectors, options }, writer, signal) {
  const send = (/** @type {keyof LogEvents} */ name, /** @type {object} */ payload) =>
    writer.send(name, JSON.stringify(payload));
  /** The last problem, which is sent once. */
  let known = '';
  const warn = (/** @type {NodeclusterError} */ { message: text }) => {
    if (text !== known) send('problem', { text });
    known = text;
  };
  const fetchApps = async () => {
    const files = await askDaemon(paths, (client) => client.request('log-files', { selectors }));
    return files.apps;
  };
  while (!signal.aborted) {
    let isFirst = true;
    const show = async (/** @type {Entry[]} */ entries) => {
      const shown = isFirst ? entries.slice(-options.pastLines) : entries;
      send('lines', { isFirst, records: shown.map(lineOf) });
      isFirst = false;
      await writer.drained();
    };
    await followLog(fetchApps, show, signal, { ...options, warn }).catch((thrown) =>
      warn(NodeclusterError.from(thrown)),
    );
    await pause(RETRY_MS, undefined, { signal }).catch(() => {});
  }
}

/** @param {Entry} entry @returns {LogLine} */
function lineOf(entry) {
  const { time, app, worker, stream, message, goesOn } = readable(entry);
  const [text, level] = [message.slice(0, MAX_MESSAGE), levelOf(entry.message)];
  return { time, app, worker, stream, message: text, level, ...(goesOn && { goesOn }) };
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
