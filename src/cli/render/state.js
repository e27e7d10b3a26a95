/** What an app or a worker is doing, and what is wrong with it, in a word. */
import { maskLine } from './mask.js';
import { paintStatus } from './palette.js';
import { formatAge, formatCountdown, formatMemory } from './quantity.js';

/** @import { AppView as App, WorkerView as Worker } from '../../protocol/shapes.js' */

/**
 * @param {Worker} worker
 * @param {App} [app] whose it is; in a reload some of its workers are new already
 * @returns {string} `online`, `backoff 4 s: exit 1`, `unresponsive 12 s`, `errored: exit 1`
 */
export function workerState(worker, app) {
  const { status, reason, retryInMs, blockedMs } = worker;
  const word = maskLine(status);
  if (app && isReloading(app) && isNew(worker, app)) return `${word}, new`;
  if (status === 'unresponsive') return `${word}${forHowLong(blockedMs, formatAge)}`;
  // A start that is due waits only for its turn.
  if (status === 'backoff')
    return `${word}${forHowLong(retryInMs || null, formatCountdown)}${cause(reason)}`;
  return status === 'errored' ? word + cause(reason) : word;
}

/**
 * @param {App} app
 * @returns {string} `4 online`, `reloading 2/4`, `3/4 online, log: 1.2M lost`
 */
export function appState(app) {
  const lost = app.logDroppedBytes ? [`log: ${formatMemory(app.logDroppedBytes)} lost`] : [];
  return [...doingOf(app), standingOf(app), ...lost].filter(Boolean).join(', ');
}

/**
 * @param {App} app
 * @returns {string} as workerState() or appState(), for the row of an app with a single worker
 */
export function singleState(app) {
  const [worker] = app.workers;
  const ofApp = appState({ ...app, workers: [] });
  if (app.workers.length === 0) return ofApp || maskLine(app.status);
  return [workerState(worker), ...(ofApp ? [ofApp] : [])].join(', ');
}

/**
 * @param {string} status of an app or a worker
 * @param {{colours: boolean}} terminal
 * @returns {(text: string) => string}
 */
export function stateDress(status, terminal) {
  return (text) => paintStatus(status, terminal, text);
}

/**
 * @param {string} reason why a worker is not online, as the primary words it
 * @returns {string} `exit 1`, `SIGKILL`; other reasons as they are
 */
export function briefReason(reason) {
  const [, code] = /exit(?:ed with)? code (\d+)/.exec(reason) ?? [];
  if (code !== undefined) return `exit ${code}`;
  const [, signal] = /was killed by (SIG\w+)/.exec(reason) ?? [];
  return signal ?? maskLine(reason);
}

/** @type {Record<string, string>} */
const doings = {
  reload: 'reloading',
  'replace-workers': 'reloading',
  restart: 'restarting',
  scale: 'scaling',
  start: 'starting',
  stop: 'stopping',
};

/** @param {App} app */
function doingOf(app) {
  const { busy, workers } = app;
  if (!busy) return [];
  const doing = doings[busy] ?? maskLine(busy);
  if (!isReloading(app) || workers.length === 0) return [doing];
  const done = workers.filter((worker) => isNew(worker, app));
  return [`${doing} ${done.length}/${workers.length}`];
}

/** @param {App} app */
function isReloading({ busy }) {
  return busy === 'reload' || busy === 'replace-workers';
}

/**
 * While a reload lasts, the app is still of the generation before.
 * @param {Worker} worker
 * @param {App} app
 */
function isNew(worker, app) {
  return Number(worker.generation) > Number(app.generation);
}

/** @param {App} app */
function standingOf({ workers, status, busy }) {
  if (workers.length === 0) return '';
  const online = workers.filter((worker) => worker.status === 'online').length;
  if (online === workers.length) return busy ? '' : `${online} online`;
  const resting = workers.every((worker) => ['stopped', 'exited'].includes(worker.status));
  return resting ? maskLine(status) : `${online}/${workers.length} online`;
}

/**
 * @param {number | null | undefined} ms
 * @param {(ms: number) => string} format
 */
function forHowLong(ms, format) {
  return typeof ms === 'number' ? ` ${format(ms)}` : '';
}

/** @param {string | null | undefined} reason */
function cause(reason) {
  return reason ? `: ${briefReason(reason)}` : '';
}
