/** `logs`: what the apps have written, and what they write. The files are read here. */
import { existsSync } from 'node:fs';
import { NodeclusterError } from '../../errors/error.js';
import { homePaths } from '../../shared/home.js';
import { openForApps } from '../actions/request.js';
import { maskLine } from '../render/mask.js';
import { LogRenderer, renderJson, renderRaw } from '../render/log-entry.js';
import { readDaemonLine } from '../../shared/log-files/daemon-line.js';
import { renderDaemonEntry } from '../render/daemon-log.js';
import { Logs } from './logs.js';
import { filesToRead, matches, sourcesOf } from './log-source.js';

/**
 * @import { Context } from '../context.js'
 * @import { LogLook } from '../render/log-entry.js'
 * @import { Entry, LoggingApp } from './log-source.js'
 */

/**
 * @typedef {LoggingApp & {workers: number[]}} App
 */

const LINES = 15;
/** How often the daemon is asked which apps there are. */
const ASK_EVERY_MS = 2000;

/**
 * @param {Context} context
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_NO_APPS, E_APP_UNKNOWN, E_LOG_TIMELESS, E_LOG_UNREADABLE
 */
export async function showLogs(context) {
  const { options, stdout } = context;
  const renderer = new LogRenderer(stdout, { timestamp: Boolean(options.timestamp) });
  const logs = logsOf(context, (entry) => renderer.render(entry));
  /** @param {App[]} apps */
  const sourcesFor = (apps) => {
    renderer.expect(apps.map(({ name, slots, workers }) => ({ name, slots: slots ?? workers })));
    return sourcesOf(apps, { stream: wantedStream(options), grep: options.grep ?? null });
  };
  await openForApps(context);
  const apps = await loggingApps(context);
  warnOfUntold(context, apps);
  await logs.open(sourcesFor(apps));
  if (options.follow !== false) watchApps(context, (now) => logs.update(sourcesFor(now)));
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
  const logs = logsOf(context, (entry) => renderDaemonEntry(entry, stdout));
  const grep = options.grep ?? null;
  const accepts = (/** @type {Entry} */ { message }) => matches(grep, message);
  await logs.open([{ path, owner: 'the daemon', read: readDaemonLine, accepts }]);
  return logs.show();
}

/**
 * @param {Context} context
 * @param {(entry: Entry) => string} render for people
 */
function logsOf({ options, note, write }, render) {
  const { lines = options.since === undefined ? LINES : Infinity, since } = options;
  const look = { timestamp: Boolean(options.timestamp) };
  return new Logs({
    past: { lines, sinceMs: since === undefined ? null : Date.now() - since },
    follows: options.follow !== false,
    write,
    note,
    render: rendererFor(options, look) ?? render,
  });
}

/**
 * @param {Record<string, any>} options
 * @param {LogLook} look
 * @returns {((entry: Entry) => string) | null}
 */
function rendererFor({ json, raw }, look) {
  if (json) return renderJson;
  return raw ? (entry) => renderRaw(entry, look) : null;
}

/** @param {Record<string, any>} options */
function wantedStream({ out, err }) {
  if (Boolean(out) === Boolean(err)) return null;
  return out ? 'out' : 'error';
}

/**
 * No connection is kept: who watches logs takes nobody's place.
 * @param {Context} context
 * @returns {Promise<App[]>}
 */
async function loggingApps({ daemons, words }) {
  const client = await daemons.find();
  const selectors = words.length > 0 ? words : ['all'];
  try {
    return client ? (await client.request('log-files', { selectors })).apps : [];
  } finally {
    daemons.close();
  }
}

/**
 * Apps come and go. The lines of those that are there are shown also when nobody answers.
 * @param {Context} context
 * @param {(apps: App[]) => Promise<void>} onApps
 */
function watchApps(context, onApps) {
  setTimeout(async () => {
    await loggingApps(context).then(onApps, () => {});
    watchApps(context, onApps);
  }, ASK_EVERY_MS).unref();
}

/**
 * What lines do not tell is no reason to leave them out, but one to say so.
 * @param {Context} context
 * @param {App[]} apps
 */
function warnOfUntold({ note, options }, apps) {
  const wanted = wantedStream(options);
  for (const { name, slots, style, files } of apps) {
    const app = maskLine(name);
    if (slots !== null && style.type === 'raw' && files.some(({ slot }) => slot === null)) {
      note(`${app}: raw lines do not tell their worker, so those of all are shown.`);
    }
    const read = files.flatMap((each) => filesToRead(each, wanted));
    if (files.length > 0 && read.length === 0) {
      note(`${app}: what it writes is kept nowhere, its log files are /dev/null.`);
    }
    if (wanted === null || style.type === 'json') continue;
    if (read.some(({ stream }) => stream === null)) {
      note(`${app}: one file has both streams, and its lines do not tell theirs: all are shown.`);
    }
  }
}
