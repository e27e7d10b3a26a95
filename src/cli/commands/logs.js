/** `logs`: reads the log files of the apps, or of the daemon, and prints them. */
import { existsSync } from 'node:fs';
import { filesToRead, matches, sourcesOf } from '../../api/logs/log-source.js';
import { DEFAULT_LINES, MergedLogs } from '../../api/logs/merged-logs.js';
import { selectorsFor } from '../../api/selectors.js';
import { NodeclusterError, usageError } from '../../errors/error.js';
import { homePaths } from '../../shared/home.js';
import { readDaemonLine } from '../../shared/log-files/daemon-line.js';
import { appsArgument, jsonOption, sinceOption, untilOption } from '../../show/command-options.js';
import { escapeLine, escapeText } from '../../show/escape.js';
import { readable } from '../../show/log-record.js';
import { renderCrashes } from '../../show/terminal/notes.js';
import { logRenderer, renderDaemonEntry, renderJson, renderRaw } from '../render/log-entry.js';

/**
 * @import { Entry, LogSource, Stream } from '../../api/logs/log-source.js'
 * @import { DaemonMethods, LoggingApp } from '../../protocol/methods.js'
 * @import { CommandData, Run } from '../command.js'
 * @import { Context } from '../context.js'
 */

/** On a pipe, where no screen limits it: a program may have crashed some hundred lines ago. */
const LINES_ON_PIPE = 1000;

/** @type {CommandData} */
export const command = {
  summary: 'show recent log lines, then follow',
  details:
    'When an app does not do what it should, or has crashed: shows what it wrote, without ' +
    'arguments what all apps wrote. Press Ctrl-C to stop.\n\n' +
    'Each line starts with the app and the worker: `api:0 | message`; `!` instead of `|` marks ' +
    'stderr. A terminal also shows the local time, and JSON of loggers as text (`| cat` shows it as ' +
    'written).',
  arguments: [{ ...appsArgument, name: '[apps...]' }],
  options: [
    {
      flags: '-n, --lines <n>',
      summary:
        'number of past lines to show from each log file (default: 30, on a pipe 1000, and with --since all of them)',
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
    'nodecluster logs --since 22:20 --until 22:25',
    'nodecluster logs api --grep "/timeout/i"',
    'nodecluster logs api:1 --lines 100 --timestamp',
    'nodecluster logs --daemon',
  ],
};

/** @type {Run} throws E_NO_APPS, E_APP_UNKNOWN, E_LOG_NONE, E_LOG_TIMELESS, E_LOG_FILE */
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

/** @param {Context} context */
async function showLogs(context) {
  const { options, stdout } = context;
  const renderer = logRenderer(stdout, options.timestamp);
  const { grep = null, until } = options;
  const filter = { stream: streamOf(options), grep, until, isRead: isRead(context) };
  const sourcesFor = (/** @type {LoggingApp[]} */ apps) => {
    renderer.expect(apps);
    return sourcesOf(apps, filter);
  };
  await context.openForApps();
  const apps = await ask(context, 'log-files');
  warnAboutUnsaved(context, apps);
  const fetchSources = async () => sourcesFor(await ask(context, 'log-files'));
  return show(context, sourcesFor(apps), (entry) => renderer.render(entry), fetchSources);
}

/** Below the past lines, which may not reach back to the last crash. @param {Context} context @param {boolean} isOfApps @param {boolean} hasShown */
async function endPast(context, isOfApps, hasShown) {
  const { options, note, stderr } = context;
  if (isOfApps && options.until === undefined) {
    const listed = await ask(context, 'list').catch(() => []);
    for (const line of renderCrashes(listed, stderr)) note(line);
  }
  if (!hasShown) note(follows(options) ? WAITING : 'No such line was found.');
}

/** @param {Context['options']} options */
function follows({ follow, until }) {
  return follow !== false && until === undefined;
}

/** @param {Context} context */
async function showDaemonLog(context) {
  const { options, stdout, daemons } = context;
  const { daemonLog: path } = homePaths(daemons.home);
  if (!existsSync(path)) throw new NodeclusterError('E_LOG_NONE', { home: daemons.home });
  const { grep = null, until } = options;
  const accepts = (/** @type {Entry} */ entry) => matches({ grep, until }, entry);
  const source = { path, owner: 'the daemon', read: readDaemonLine, accepts };
  return show(context, [source], (entry) => renderDaemonEntry(entry, stdout));
}

/** @typedef {(entry: Entry) => string} Render */

/** @param {Context} context @param {LogSource[]} sources @param {Render} renderPlain @param {() => Promise<LogSource[]>} [fetchSources] */
async function show(context, sources, renderPlain, fetchSources) {
  const { options, note, write } = context;
  const warn = (/** @type {NodeclusterError} */ { message }) => note(escapeText(message));
  const past = requestedPast(context);
  const how = { past, follows: follows(options), signal: options.ended, warn };
  const logs = new MergedLogs(how);
  await logs.open(sources);
  if (how.follows && fetchSources) logs.keepUpdated(fetchSources);
  const render = rendererOf(options) ?? renderPlain;
  const read = isRead(context) ? readable : (/** @type {Entry} */ entry) => entry;
  let hasShown = false;
  let isPast = true;
  for await (const batch of logs.batches()) {
    const lines = batch.map((entry) => `${render(read(entry))}\n`);
    hasShown ||= lines.length > 0;
    if (batch.length === 0 && isPast) {
      isPast = false;
      await endPast(context, fetchSources !== undefined, hasShown);
    }
    if (lines.length > 0 && !(await write(lines.join('')))) break;
  }
  return 0;
}

/** @param {Context} context */
function requestedPast({ options: { since, lines }, stdout }) {
  const recent = stdout.isTerminal ? DEFAULT_LINES : LINES_ON_PIPE;
  return { lines: lines ?? (since === undefined ? recent : Infinity), sinceMs: since ?? null };
}

const WAITING = 'Waiting for new lines. Press Ctrl-C to stop.';

/** A program may count the lines, or parse them. @param {Context} context */
function isRead({ options, stdout }) {
  return stdout.isTerminal && rendererOf(options) === null;
}

/** @param {Context['options']} options @returns {Render | null} null: none of them selects a format */
function rendererOf({ json, raw, timestamp }) {
  if (json) return renderJson;
  return raw ? (entry) => renderRaw(entry, timestamp) : null;
}

/** @param {Context['options']} options @returns {Stream | null} */
function streamOf({ out, err }) {
  if (Boolean(out) === Boolean(err)) return null;
  return out ? 'out' : 'error';
}

/** @template {'log-files' | 'list'} K @param {Context} context @param {K} method @returns {Promise<DaemonMethods[K]['result']['apps']>} */
async function ask(context, method) {
  const { daemons, words } = context;
  const client = await daemons.find();
  // Nothing is known of the logs then, and those that are open are followed.
  if (!client) throw new NodeclusterError('E_DAEMON_NOT_RUNNING', { home: daemons.home });
  try {
    const selectors = await selectorsFor(context, client, words.length > 0 ? words : ['all']);
    return (await client.request(method, { selectors })).apps;
  } finally {
    // The daemon accepts only a limited number.
    daemons.close();
  }
}

const DISCARDED = 'its output is not saved, because its log files are /dev/null.';
const IN_FOREGROUND =
  'its output goes to stdout and stderr of `nodecluster run`, and is not saved here. In a container, `docker logs` or `kubectl logs` shows it.';

/** @param {Context} context @param {LoggingApp[]} apps */
function warnAboutUnsaved({ note, options }, apps) {
  const stream = streamOf(options);
  for (const { name, files, isForeground } of apps) {
    const isRead = files.some((each) => filesToRead(each, stream).length > 0);
    if (files.length > 0 && !isRead) {
      note(`${escapeLine(name)}: ${isForeground ? IN_FOREGROUND : DISCARDED}`);
    }
  }
}
