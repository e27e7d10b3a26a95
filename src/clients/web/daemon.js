/** What a page asks of the daemon: the details of an app, an action, the lines of logs. */
import { setTimeout as pause } from 'node:timers/promises';
import { followLog } from '../../api/logs/merged-logs.js';
import { LEVELS } from '../../lifecycle/log-record.js';
import { patternOf } from '../../show/escape.js';
import { readable } from '../../show/log-record.js';
import { askDaemon as ask } from '../../api/find-daemon.js';
import { NodeclusterError } from '../../errors/error.js';
import { settingRows } from '../../api/setting-rows.js';
import { fetchDescriptions } from '../../api/selectors.js';
import { maskSecrets } from '../../shared/secrets.js';
import { requestFor } from '../confirmation.js';
import { renderOutcome } from '../../show/outcome.js';
import { renderProgress } from '../../show/progress.js';
import { PAST_FIELDS } from '../../show/past.js';
import { Refusal } from './respond.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { Live } from './live.js'
 * @import { Details, LogEvents, LogLine, Past } from './shapes.js'
 * @import { Entry } from '../../api/logs/log-source.js'
 * @import { EventWriter } from './respond.js'
 */

export const ROLE = 'web';

/** @template T @param {HomePaths} paths @param {(client: DaemonClient) => Promise<T>} use */
const askDaemon = (paths, use) => ask(paths, ROLE, use);

/**
 * `describe` and `env` of one app, with secrets masked.
 * @param {HomePaths} paths
 * @param {string} name
 * @returns {Promise<Details>}
 * @throws {NodeclusterError} E_APP_UNKNOWN, E_DAEMON_NOT_RUNNING
 */
export async function fetchDetails(paths, name) {
  const selectors = [name];
  const [named, environments] = await askDaemon(paths, (client) =>
    Promise.all([
      fetchDescriptions(client, selectors, { fields: ['usage'] }),
      client.request('env', { selectors }),
    ]),
  );
  // A name can also mean a namespace.
  const found = named.find((each) => each.name === name);
  if (!found) throw new NodeclusterError('E_APP_UNKNOWN', { selector: name, known: [] });
  const app = maskSecrets(found);
  const environment = environments.apps.find((each) => each.name === name)?.env ?? {};
  return {
    app,
    environment,
    settings: settingRows(app).map(([key, value, source]) => ({ key, value, source })),
  };
}

/** What the apps did in the last hour. @param {HomePaths} paths @returns {Promise<Past>} */
export async function fetchPast(paths) {
  const { apps } = await askDaemon(paths, (client) =>
    client.request('list', { fields: PAST_FIELDS }),
  );
  return Object.fromEntries(apps.map(({ name, pastHour }) => [name, pastHour]));
}

const MAX_RUNNING = 20;
const READ_ONLY = 'This page only shows: `nodecluster web` was started with --read-only.';

/** Carries out what somebody asked for on the page. Its steps and its outcome go to every page. */
export class Actions {
  #paths;
  #live;
  #running = 0;

  /** @param {HomePaths} paths @param {Live} live */
  constructor(paths, live) {
    this.#paths = paths;
    this.#live = live;
  }

  /** @param {Record<string, unknown>} body of the request @throws {Refusal} */
  begin(body) {
    if (this.#live.state.isReadOnly) throw new Refusal(403, READ_ONLY);
    if (this.#running >= MAX_RUNNING) {
      throw new Refusal(429, `${MAX_RUNNING} actions are running. Wait until one has ended.`);
    }
    const request = readAction(body);
    this.#running += 1;
    this.#carryOut(request).finally(() => (this.#running -= 1));
  }

  /** @param {ReturnType<typeof requestFor>} request */
  async #carryOut({ method, params }) {
    try {
      const { apps } = await askDaemon(this.#paths, (client) =>
        client.request(method, params, {
          onNotification: (kind, step) => {
            if (kind === 'progress') this.#live.send('progress', { text: renderProgress(step) });
          },
        }),
      );
      const text = apps.map((outcome) => renderOutcome(outcome)).join('\n');
      this.#live.send('outcome', { ok: apps.every(({ ok }) => ok), text });
    } catch (thrown) {
      const error = NodeclusterError.from(thrown);
      const isLost = error.code === 'E_PROTOCOL_CLOSED';
      const { message, hint } = isLost ? new NodeclusterError('E_DAEMON_LOST', { method }) : error;
      this.#live.send('outcome', { ok: false, text: [message, hint].filter(Boolean).join(' ') });
    }
  }
}

const ACTIONS = ['start', 'stop', 'restart', 'reload', 'scale', 'run-now'];
const COUNT = /^(?:[+-]?\d{1,4}|max)$/;

/**
 * What the page may ask of the daemon, as the request that the daemon gets, which knows the apps. Pure.
 * @param {Record<string, unknown>} body of the request
 * @throws {Refusal}
 */
export function readAction({ action, target, options }) {
  if (typeof action !== 'string' || !ACTIONS.includes(action)) {
    throw new Refusal(400, `The action must be one of ${ACTIONS.join(', ')}.`);
  }
  if (typeof target !== 'string') throw new Refusal(400, 'The target must be a name.');
  const { instances } = /** @type {Record<string, unknown>} */ (Object(options));
  if (action === 'scale' && !(typeof instances === 'string' && COUNT.test(instances))) {
    throw new Refusal(400, 'The number of instances must be like 4, +2, -1 or max.');
  }
  return requestFor({ action, target, options: { instances } });
}

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
      // The page shows none beside new lines.
      known = '';
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
  const { time, app, worker, stream, message, goesOn, level = null } = readable(entry);
  const text = message.slice(0, MAX_MESSAGE);
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
