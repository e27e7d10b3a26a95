/** `logs`: reads the log files of the apps, or of the daemon, and prints them. */
import { existsSync } from 'node:fs';
import { filesToRead, matches, sourcesOf } from '../api/logs/log-source.js';
import { DEFAULT_LINES, MergedLogs } from '../api/logs/merged-logs.js';
import { selectorsFor } from '../api/selectors.js';
import { NodeclusterError } from '../errors/error.js';
import { homePaths } from '../shared/home.js';
import { readDaemonLine } from '../shared/log-files/daemon-line.js';
import {
  LogRenderer,
  renderDaemonEntry,
  renderFormatted,
  renderJson,
  renderRaw,
} from './render/log-entry.js';
import { changeText } from '../show/change.js';
import { escapeLine, escapeText } from '../show/escape.js';
import { makeDateFormat } from '../shared/log-files/date-format.js';

/**
 * @import { Entry, Stream, LogSource } from '../api/logs/log-source.js'
 * @import { LoggingApp } from '../protocol/methods.js'
 * @import { Context } from './context.js'
 */

/**
 * @param {Context} context
 * @throws {NodeclusterError} E_NO_APPS, E_APP_UNKNOWN, E_LOG_TIMELESS, E_LOG_UNREADABLE
 */
export async function showLogs(context) {
  const { options, stdout, daemons } = context;
  const { timestamp = false, highlight = '' } = options;
  const { daemonLog } = homePaths(daemons.home);
  const renderer = new LogRenderer(stdout, { timestamp, highlight });
  const logs = makeLogs(context);
  const marked = markedEvents(context);
  const filter = { stream: streamOf(options), grep: options.grep ?? null };
  const findSources = (/** @type {LoggingApp[]} */ apps) => {
    renderer.expect(apps.map(({ name, slots, workers }) => ({ name, slots: slots ?? workers })));
    const marks = marked ? [marksOf(daemonLog, apps, marked)] : [];
    return [...marks, ...sourcesOf(apps, filter)];
  };
  await context.openForApps();
  const apps = await fetchApps(context);
  warnAboutUnknowns(context, apps);
  await logs.open(findSources(apps));
  if (options.follow !== false) logs.keepUpdated(async () => findSources(await fetchApps(context)));
  return show(context, logs, (entry) => renderer.render(entry));
}

/** @param {Context} context @throws {NodeclusterError} E_LOG_NONE, E_LOG_UNREADABLE */
export async function showDaemonLog(context) {
  const { options, stdout, daemons } = context;
  const { daemonLog: path } = homePaths(daemons.home);
  if (!existsSync(path)) throw new NodeclusterError('E_LOG_NONE', { home: daemons.home });
  const logs = makeLogs(context);
  const accepts = (/** @type {Entry} */ { message }) => matches(options.grep ?? null, message);
  await logs.open([{ path, owner: 'the daemon', read: readDaemonLine, accepts }]);
  return show(context, logs, (entry) => renderDaemonEntry(entry, stdout));
}

/** @param {Context} context */
function makeLogs({ options, note }) {
  const { since, lines = since === undefined ? DEFAULT_LINES : Infinity } = options;
  return new MergedLogs({
    past: { lines, sinceMs: since === undefined ? null : Date.now() - since },
    follows: options.follow !== false,
    warn: ({ message }) => note(escapeText(message)),
  });
}

/**
 * @param {Context} context
 * @param {MergedLogs} logs
 * @param {(entry: Entry) => string} renderPlain used unless an option selects another format
 * @returns {Promise<number>} the exit code, at the end of the logs or when the pipe is closed
 */
async function show({ options, note, write }, logs, renderPlain) {
  const render = rendererOf(options) ?? renderPlain;
  const isShown = makeMarkFilter(Date.now());
  if (options.follow !== false && logs.isEmpty) {
    note('Waiting for new lines. Press Ctrl-C to stop.');
  }
  const textOf = (/** @type {Entry[]} */ entries) =>
    entries.map((entry) => `${render(entry)}\n`).join('');
  for await (const batch of logs.batches()) {
    if (!(await write(textOf(batch.filter(isShown))))) break;
  }
  return 0;
}

/** @param {Context['options']} options @returns {((entry: Entry) => string) | null} */
function rendererOf({ json, format, raw, timestamp = false }) {
  if (json) return renderJson;
  if (format) return renderFormatted;
  return raw ? (entry) => renderRaw(entry, { timestamp }) : null;
}

/** @param {Context['options']} options @returns {Stream | null} */
function streamOf({ out, err }) {
  if (Boolean(out) === Boolean(err)) return null;
  return out ? 'out' : 'error';
}

/** Closes the connection: the daemon accepts only a limited number. @param {Context} context */
async function fetchApps(context) {
  const { daemons, words } = context;
  const client = await daemons.find();
  if (!client) return [];
  try {
    const selectors = await selectorsFor(context, client, words.length > 0 ? words : ['all']);
    return (await client.request('log-files', { selectors })).apps;
  } finally {
    daemons.close();
  }
}

const DISCARDED = 'its output is not saved, because its log files are /dev/null.';
const IN_FOREGROUND =
  'its output goes to stdout and stderr of `nodecluster run`, and is not saved here. In a container, `docker logs` or `kubectl logs` shows it.';

/** About unknown workers and streams. @param {Context} context @param {LoggingApp[]} apps */
function warnAboutUnknowns({ note, options }, apps) {
  const stream = streamOf(options);
  for (const { name, slots, style, files, isForeground } of apps) {
    const app = escapeLine(name);
    if (slots !== null && style.type === 'raw' && files.some(({ slot }) => slot === null)) {
      note(`${app}: raw lines do not name their worker, so the lines of all workers are shown.`);
    }
    const read = files.flatMap((each) => filesToRead(each, stream));
    if (files.length > 0 && read.length === 0) {
      note(`${app}: ${isForeground ? IN_FOREGROUND : DISCARDED}`);
    }
    if (stream === null || style.type === 'json') continue;
    if (read.some((file) => file.stream === null)) {
      note(
        `${app}: one file has both streams and its lines do not name theirs, so both are shown.`,
      );
    }
  }
}

/** Commands that change how an app runs. */
const MARKED_ACTIONS = ['reload', 'restart', 'scale', 'stop'];
/** Of what follows an exit; otherwise the mark of the next start says why. */
const NO_START = ['backoff', 'errored', 'exited'];

/** In words that follow the name of the worker or app; null: nothing worth a mark. @type {Record<string, (record: any) => string | null>} */
const MARKS = {
  'worker.started': ({ pid, why }) => `started, pid ${pid}${why ? `, after it ${why}` : ''}`,
  'worker.exited': ({ then, reason, why }) => (NO_START.includes(then) ? (why ?? reason) : null),
  'action.ended': ({ action, ok, by, changed = [] }) => {
    if (!MARKED_ACTIONS.includes(action)) return null;
    const differences = changed.map((/** @type {string} */ key) => ({ key }));
    return `${ok ? action : `${action} failed`}${changeText({ by, differences, omitted: 0 })}`;
  },
};

/** @param {Record<string, any>} record @returns {string | null} */
function markOf(record) {
  const { event, level, reason } = record;
  if (Object.hasOwn(MARKS, event)) return MARKS[event](record);
  const isWarning = level === 'warn' && event.startsWith('worker.');
  return isWarning ? [event.slice(7), reason].filter(Boolean).join(': ') : null;
}

/** @param {Context} context @returns {RegExp | null} what is marked; a pipe gets only the lines, and as JSON the starts */
function markedEvents({ options: { json, raw, format, grep }, stdout }) {
  if (raw || format || grep) return null;
  if (json) return /^worker\.started$/;
  return stdout.isTerminal ? /^/ : null;
}

/**
 * What happened between the lines of `logs`. It comes from the log of the daemon, not from those of the apps, which contain only what the programs write.
 * @param {string} path of the daemon's log
 * @param {LoggingApp[]} apps whose logs are shown
 * @param {RegExp} marked types of entries
 * @returns {LogSource}
 */
function marksOf(path, apps, marked) {
  const formats = new Map(
    apps.map(({ name, style: { dateFormat } }) => [name, dateFormat && makeDateFormat(dateFormat)]),
  );
  return {
    path,
    owner: 'the daemon',
    hasMarks: true,
    read(line) {
      const entry = readMark(line, marked);
      const format = formats.get(entry.app ?? '');
      // The lines of this app are only as exact as its format, and come after a mark of the same time.
      const time = format && entry.time !== null ? format.read(format.write(entry.time)) : null;
      return { ...entry, time: time ?? entry.time };
    },
    accepts: ({ app, worker, isMark = false }) =>
      isMark &&
      apps.some(
        ({ name, slots }) => name === app && (worker === null || (slots?.includes(worker) ?? true)),
      ),
  };
}

/**
 * A past mark is shown only after a line of its app: before the first one, and among lines without
 * times, its place is not known.
 * @param {number} startedMs epoch; what happens later is not past
 * @returns {(entry: Entry) => boolean} called for the entries in their order
 */
function makeMarkFilter(startedMs) {
  const seen = new Set();
  return ({ app, time, record, isMark = false }) => {
    if (isMark) return seen.has(app) || Date.parse(String(record?.time)) >= startedMs;
    if (time !== null) seen.add(app);
    return true;
  };
}

/** @param {string} line @param {RegExp} marked @returns {Entry} */
function readMark(line, marked) {
  const entry = readDaemonLine(line);
  const { time, event, app, slot, pid, why: after = null } = entry.record ?? {};
  const message = entry.record && marked.test(String(event)) ? markOf(entry.record) : null;
  if (message === null) return entry;
  const worker = slot === undefined ? null : Number(slot);
  const record = { time, event, app, worker, pid, after };
  return { ...entry, app: String(app), worker, message: String(message), isMark: true, record };
}
