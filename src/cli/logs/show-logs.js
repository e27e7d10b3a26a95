/** `logs`: reads the log files of the apps, or of the daemon, and prints them. */
import { existsSync } from 'node:fs';
import { NodeclusterError } from '../../errors/error.js';
import { homePaths } from '../../shared/home.js';
import { readDaemonLine } from '../../shared/log-files/daemon-line.js';
import { openForApps } from '../actions/request.js';
import { renderDaemonEntry } from '../render/daemon-log.js';
import { LogRenderer, renderFormatted, renderJson, renderRaw } from '../render/log-entry.js';
import { maskLine } from '../render/mask.js';
import { filesToRead, matches, sourcesOf } from './log-source.js';
import { MergedLogs } from './merged-logs.js';

/**
 * @import { LoggingApp } from '../../protocol/methods.js'
 * @import { Context } from '../context.js'
 * @import { Entry, Stream } from './log-source.js'
 */

const DEFAULT_LINES = 15;
/** How often the current apps are requested from the daemon. */
const APPS_POLL_MS = 2000;

/**
 * @param {Context} context
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_NO_APPS, E_APP_UNKNOWN, E_LOG_TIMELESS, E_LOG_UNREADABLE
 */
export async function showLogs(context) {
  const { options, stdout } = context;
  const renderer = new LogRenderer(stdout, {
    timestamp: Boolean(options.timestamp),
    highlight: options.highlight ?? '',
  });
  const logs = makeLogs(context, (entry) => renderer.render(entry));
  const filter = { stream: streamOf(options), grep: options.grep ?? null };
  const findSources = (/** @type {LoggingApp[]} */ apps) => {
    renderer.expect(apps.map(({ name, slots, workers }) => ({ name, slots: slots ?? workers })));
    return sourcesOf(apps, filter);
  };
  await openForApps(context);
  const apps = await fetchApps(context);
  warnAboutUnknowns(context, apps);
  await logs.open(findSources(apps));
  if (options.follow !== false) pollApps(context, (current) => logs.update(findSources(current)));
  return logs.show();
}

/**
 * @param {Context} context
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_LOG_NONE, E_LOG_UNREADABLE
 */
export async function showDaemonLog(context) {
  const { options, stdout, daemons } = context;
  const { daemonLog: path } = homePaths(daemons.home);
  if (!existsSync(path)) throw new NodeclusterError('E_LOG_NONE', { home: daemons.home });
  const logs = makeLogs(context, (entry) => renderDaemonEntry(entry, stdout));
  const accepts = (/** @type {Entry} */ { message }) => matches(options.grep ?? null, message);
  await logs.open([{ path, owner: 'the daemon', read: readDaemonLine, accepts }]);
  return logs.show();
}

/**
 * @param {Context} context
 * @param {(entry: Entry) => string} render used unless an option selects another format
 */
function makeLogs({ options, note, write }, render) {
  const { since, lines = since === undefined ? DEFAULT_LINES : Infinity } = options;
  const timestamp = Boolean(options.timestamp);
  const renderMessage = options.raw
    ? (/** @type {Entry} */ entry) => renderRaw(entry, { timestamp })
    : render;
  const renderPlain = options.format ? renderFormatted : renderMessage;
  return new MergedLogs({
    past: { lines, sinceMs: since === undefined ? null : Date.now() - since },
    follows: options.follow !== false,
    write,
    note,
    render: options.json ? renderJson : renderPlain,
  });
}

/** @param {Context['options']} options @returns {Stream | null} */
function streamOf({ out, err }) {
  if (Boolean(out) === Boolean(err)) return null;
  return out ? 'out' : 'error';
}

/**
 * Closes the connection afterwards, because the daemon accepts only a limited number.
 * @param {Context} context
 * @returns {Promise<LoggingApp[]>}
 */
async function fetchApps({ daemons, words }) {
  const client = await daemons.find();
  const selectors = words.length > 0 ? words : ['all'];
  try {
    return client ? (await client.request('log-files', { selectors })).apps : [];
  } finally {
    daemons.close();
  }
}

/**
 * Apps can be started and deleted meanwhile. If no daemon replies, the known logs are still shown.
 * @param {Context} context
 * @param {(apps: LoggingApp[]) => Promise<void>} onApps
 */
function pollApps(context, onApps) {
  setTimeout(async () => {
    await fetchApps(context).then(onApps, () => {});
    pollApps(context, onApps);
  }, APPS_POLL_MS).unref();
}

/**
 * Lines whose worker or stream is unknown are shown; this warns about them.
 * @param {Context} context
 * @param {LoggingApp[]} apps
 */
function warnAboutUnknowns({ note, options }, apps) {
  const stream = streamOf(options);
  for (const { name, slots, style, files } of apps) {
    const app = maskLine(name);
    if (slots !== null && style.type === 'raw' && files.some(({ slot }) => slot === null)) {
      note(`${app}: raw lines do not name their worker, so the lines of all workers are shown.`);
    }
    const read = files.flatMap((each) => filesToRead(each, stream));
    if (files.length > 0 && read.length === 0) {
      note(`${app}: its output is not saved, because its log files are /dev/null.`);
    }
    if (stream === null || style.type === 'json') continue;
    if (read.some((file) => file.stream === null)) {
      note(
        `${app}: one file has both streams and its lines do not name theirs, so both are shown.`,
      );
    }
  }
}
