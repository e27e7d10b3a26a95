/** `logs`: reads the log files of the apps, or of the daemon, and prints them. */
import { existsSync } from 'node:fs';
import { filesToRead, matches, sourcesOf } from '../../api/logs/log-source.js';
import { DEFAULT_LINES, MergedLogs } from '../../api/logs/merged-logs.js';
import { makeMarkFilter, marksOf } from '../../api/logs/log-tail.js';
import { selectorsFor } from '../../api/selectors.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { homePaths } from '../../shared/home.js';
import { readDaemonLine } from '../../shared/log-files/daemon-line.js';
import { appsArgument, jsonOption, sinceOption, untilOption } from '../../show/command-options.js';
import { escapeLine, escapeText } from '../../show/escape.js';
import { readable } from '../../show/log-record.js';
import { renderCrashes } from '../../show/terminal/notes.js';
import {
  LogRenderer,
  foldRepeats,
  renderDaemonEntry,
  renderJson,
  renderRaw,
} from '../render/log-entry.js';

/** On a pipe, where no screen limits it: a program may have crashed some hundred lines ago. */
const LINES_ON_PIPE = 1000;

/**
 * @import { Entry, LogSource, Stream } from '../../api/logs/log-source.js'
 * @import { DaemonMethods, LoggingApp } from '../../protocol/methods.js'
 * @import { CommandData, Run } from '../command.js'
 * @import { Context } from '../context.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'show recent log lines, then follow',
  details:
    'When an app does not do what it should, or has crashed: shows what it wrote, without ' +
    'arguments what all apps wrote. Press Ctrl-C to stop.\n\n' +
    'Each line starts with the app and the worker: `api:0 | message`; `!` instead of `|` marks ' +
    'stderr. A terminal also shows the local time, JSON of loggers as text (`| cat` shows it as ' +
    'written), and between the lines when workers started and exited.',
  arguments: [{ ...appsArgument, name: '[apps...]' }],
  options: [
    {
      flags: '-n, --lines <n>',
      summary:
        'number of past lines to show from each log file (default: 15, on a pipe 1000, and with --since all of them)',
      parse: parseWholeNumber,
    },
    {
      ...sinceOption,
      summary: 'show only lines written since then: 10m, 22:20 (local time), 2026-11-26T22:20:00Z',
    },
    { ...untilOption, summary: 'show only lines written until then, and exit' },
    { flags: '--out', summary: 'show only stdout' },
    { flags: '--err', summary: 'show only stderr' },
    {
      flags: '--grep <regex>',
      summary:
        'show only messages that match, and the indented lines after them; /regex/i ignores case',
      parse: parseExpression,
    },
    { flags: '--timestamp', summary: 'show the time of each line in UTC, also on a pipe' },
    { flags: '--raw', summary: 'show only the messages, as the programs wrote them' },
    { ...jsonOption, summary: 'print each line as a JSON object' },
    {
      flags: '--no-follow',
      summary: 'exit after the existing lines',
      pm2: [{ flags: '--nostream', value: false }, { flags: '-f, --follow' }],
    },
    { flags: '--daemon', summary: "show the daemon's own log: what it decided and why" },
  ],
  examples: [
    'nodecluster logs',
    'nodecluster logs --err --since 10m --no-follow',
    'nodecluster logs --no-follow | less',
    'nodecluster logs --since 22:20 --until 22:25',
    'nodecluster logs api --grep "/timeout/i"',
    'nodecluster logs api:1 --lines 100 --timestamp',
    'nodecluster logs --daemon',
  ],
};

/** @type {Run} */
export function run(context) {
  const { options, words } = context;
  if (options.raw && options.json) throw usageError('logs', '--raw and --json cannot be combined');
  if (!options.daemon) return showLogs(context);
  if (words.length > 0) throw usageError('logs', '--daemon shows a single log, so it takes no app');
  return showDaemonLog(context);
}

/** @param {string} text */
function parseWholeNumber(text) {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError('It must be a number from 0 up');
  return Number(text);
}

/** @param {string} text */
function parseExpression(text) {
  const [, source = text, flags = ''] = /^\/(.+)\/(i?)$/.exec(text) ?? [];
  try {
    return new RegExp(source, flags);
  } catch (error) {
    // V8's message repeats the pattern: `Invalid regular expression: /(/: Unterminated group`.
    throw new RangeError(/** @type {Error} */ (error).message.replace(/^.*: /s, ''));
  }
}

/**
 * @param {Context} context
 * @throws {NodeclusterError} E_NO_APPS, E_APP_UNKNOWN, E_LOG_TIMELESS, E_LOG_UNREADABLE
 */
async function showLogs(context) {
  const { options, stdout, daemons } = context;
  const { timestamp = false } = options;
  const { daemonLog } = homePaths(daemons.home);
  const renderer = new LogRenderer(stdout, { timestamp });
  const logs = makeLogs(context);
  const marked = markedEvents(context);
  const filter = { stream: streamOf(options), grep: options.grep ?? null, isRead: isRead(context) };
  const findSources = (/** @type {LoggingApp[]} */ apps) => {
    renderer.expect(apps.map(({ name, slots, workers }) => ({ name, slots: slots ?? workers })));
    const marks = marked ? [marksOf(daemonLog, apps, marked)] : [];
    return [...marks, ...sourcesOf(apps, filter)].map((source) => endingAt(source, options.until));
  };
  await context.openForApps();
  const apps = await fetchApps(context);
  warnAboutUnknowns(context, apps);
  if (options.until === undefined) await noteCrashes(context);
  await logs.open(findSources(apps));
  if (isFollowed(options)) logs.keepUpdated(async () => findSources(await fetchApps(context)));
  return show(context, logs, (entry) => renderer.render(entry), writersIn(apps, filter.stream));
}

/** @param {LoggingApp[]} apps @param {Stream | null} stream @returns {string[]} whose lines were looked for: `api`, `api:1` */
function writersIn(apps, stream) {
  const read = apps.filter(({ files }) =>
    files.some((each) => filesToRead(each, stream).length > 0),
  );
  return read.flatMap(({ name, slots }) => slots?.map((slot) => `${name}:${slot}`) ?? name);
}

/** @param {LogSource} source @param {number} [until] epoch ms @returns {LogSource} */
function endingAt(source, until = Infinity) {
  return {
    ...source,
    accepts: (entry) => source.accepts(entry) && (entry.time === null || entry.time <= until),
  };
}

/** @param {Context} context @throws {NodeclusterError} E_LOG_NONE, E_LOG_UNREADABLE */
async function showDaemonLog(context) {
  const { options, stdout, daemons } = context;
  const { daemonLog: path } = homePaths(daemons.home);
  if (!existsSync(path)) throw new NodeclusterError('E_LOG_NONE', { home: daemons.home });
  const logs = makeLogs(context);
  const accepts = (/** @type {Entry} */ entry) => matches({ grep: options.grep ?? null }, entry);
  const source = { path, owner: 'the daemon', read: readDaemonLine, accepts };
  await logs.open([endingAt(source, options.until)]);
  return show(context, logs, (entry) => renderDaemonEntry(entry, stdout), ['The daemon']);
}

/** @param {Context['options']} options */
function isFollowed({ follow, until }) {
  return follow !== false && until === undefined;
}

/** @param {Context} context */
function makeLogs({ options, note, stdout }) {
  const recent = stdout.isTerminal ? DEFAULT_LINES : LINES_ON_PIPE;
  const { since, lines = since === undefined ? recent : Infinity, ended } = options;
  return new MergedLogs({
    past: { lines, sinceMs: since ?? null },
    follows: isFollowed(options),
    signal: ended,
    warn: ({ message }) => note(escapeText(message)),
  });
}

/**
 * @param {Context} context
 * @param {MergedLogs} logs
 * @param {(entry: Entry) => string} renderPlain used unless an option selects another format
 * @param {string[]} writers whose lines were looked for
 * @returns {Promise<number>} the exit code, at the end of the logs or when the pipe is closed
 */
async function show(context, logs, renderPlain, writers) {
  const { options, note, write } = context;
  const render = rendererOf(options) ?? renderPlain;
  const isShown = makeMarkFilter(Date.now());
  if (logs.isEmpty && isFollowed(options)) note(WAITING);
  else if (logs.isEmpty && writers.length > 0 && options.lines !== 0) {
    note(nothingFound(options, writers));
  }
  const shownOf = (/** @type {Entry[]} */ entries) =>
    isRead(context) ? foldRepeats(entries.map(readable)) : entries;
  const textOf = (/** @type {Entry[]} */ entries) =>
    shownOf(entries)
      .map((entry) => `${render(entry)}\n`)
      .join('');
  for await (const batch of logs.batches()) {
    if (!(await write(textOf(batch.filter(isShown))))) break;
  }
  return 0;
}

/** A program may count the lines, or parse them. @param {Context} context */
function isRead({ options, stdout }) {
  return stdout.isTerminal && rendererOf(options) === null;
}

const WAITING = 'Waiting for new lines. Press Ctrl-C to stop.';

/** @param {Context['options']} options @param {string[]} writers */
function nothingFound({ grep, since, until, ...options }, [writer, ...others]) {
  if (grep) return escapeLine(`No line matches ${grep.source}.`);
  const stream = { out: ' to stdout', error: ' to stderr', both: '' }[streamOf(options) ?? 'both'];
  const time = since === undefined && until === undefined ? '' : ' in that time';
  const what = others.length > 0 ? 'Nothing was written' : `${writer} has written nothing`;
  return escapeLine(`${what}${stream}${time}.`);
}

/** @param {Context['options']} options @returns {((entry: Entry) => string) | null} */
function rendererOf({ json, raw, timestamp = false }) {
  if (json) return renderJson;
  return raw ? (entry) => renderRaw(entry, { timestamp }) : null;
}

/** @param {Context['options']} options @returns {Stream | null} */
function streamOf({ out, err }) {
  if (Boolean(out) === Boolean(err)) return null;
  return out ? 'out' : 'error';
}

/** @param {Context} context */
const fetchApps = (context) => ask(context, 'log-files');

/** The lines that are shown may not reach back to the last crash. @param {Context} context */
async function noteCrashes(context) {
  const apps = await ask(context, 'list').catch(() => []);
  for (const line of renderCrashes(apps, context.stderr)) context.note(line);
}

/**
 * Closes the connection: the daemon accepts only a limited number.
 * @template {'log-files' | 'list'} Method
 * @param {Context} context
 * @param {Method} method
 * @returns {Promise<DaemonMethods[Method]['result']['apps']>}
 */
async function ask(context, method) {
  const { daemons, words } = context;
  const client = await daemons.find();
  if (!client) return [];
  try {
    const selectors = await selectorsFor(context, client, words.length > 0 ? words : ['all']);
    return (await client.request(method, { selectors })).apps;
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

/** @param {Context} context @returns {RegExp | null} what is marked; a pipe gets only the lines, and as JSON the starts */
function markedEvents({ options: { json, raw, grep }, stdout }) {
  if (raw || grep) return null;
  if (json) return /^worker\.started$/;
  return stdout.isTerminal ? /^/ : null;
}
