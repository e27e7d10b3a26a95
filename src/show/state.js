/** Describes in a few words what an app or a worker is doing, and what is wrong with it. */
import { maskLine } from './mask.js';
import { statusOf } from './rows.js';
import { statusTone } from './tone.js';
import { formatAge, formatCountdown, formatMemory } from './quantity.js';
import { rangeText, workerText } from './features.js';

/**
 * @import { AppView, Stack, WorkerView } from '../protocol/shapes.js'
 * @import { RowOf } from './rows.js'
 */

/** Of a function. */
const MAX_NAME = 24;

/**
 * @param {RowOf<AppView, WorkerView>} row
 * @returns {string} what it is doing, and what is wrong with it
 */
export function stateText({ app, worker, kind }) {
  return kind === 'worker' && worker ? workerState(worker, app) : appState(app);
}

/**
 * @param {AppView} app
 * @returns {string} the same for an app
 */
export function appState(app) {
  return app.workers.length > 1 ? manyState(app) : singleState(app);
}

/** @param {RowOf<AppView, WorkerView>} row */
export function stateTone(row) {
  return statusTone(statusOf(row), stateText(row));
}

/**
 * @param {WorkerView} worker
 * @param {AppView} [app] the worker's; in a reload, new workers are marked
 * @returns {string} `online`, `online, unhealthy`, `backoff 4 s: exit 1`, `unresponsive 12 s in hash`, `errored: exit 1`
 */
export function workerState(worker, app) {
  const { status, reason, retryInMs, blockedMs, stack } = worker;
  const word = maskLine(status);
  const cause = reason ? `: ${shortenReason(reason)}` : '';
  if (app && isReloading(app) && isNew(worker, app)) return `${word}, new`;
  if (isUnhealthy(worker)) return `${word}, unhealthy`;
  if (status === 'unresponsive') {
    return typeof blockedMs === 'number'
      ? `${word} ${formatAge(blockedMs)}${placeOf(stack)}`
      : word;
  }
  // Without a countdown, the start is due and waits for its turn.
  if (status === 'backoff') {
    return `${word}${retryInMs ? ` ${formatCountdown(retryInMs)}` : ''}${cause}`;
  }
  return status === 'errored' ? word + cause : word;
}

/** @param {Stack | null} stack */
function placeOf(stack) {
  const frame = stack?.frames.find(({ origin }) => origin === 'program');
  return frame?.name ? ` in ${maskLine(frame.name).slice(0, MAX_NAME)}` : '';
}

/**
 * @param {AppView} app
 * @returns {string} `4 online`, `3/2–8 online`, `reloading 2/4`, `judging 40 s`, `4 online, 1 unhealthy`, `3/4 online, log: 1.2M lost`
 */
function manyState(app) {
  const lost = app.logDroppedBytes ? `log: ${formatMemory(app.logDroppedBytes)} lost` : '';
  const unhealthy = app.workers.filter(isUnhealthy).length;
  const health = unhealthy > 0 ? `${unhealthy} unhealthy` : '';
  return [activityOf(app), onlineCount(app), health, lost].filter(Boolean).join(', ');
}

/**
 * @param {AppView} app with one worker, or none
 * @returns {string} the state of the worker, and what manyState() adds to it
 */
function singleState(app) {
  const [worker] = app.workers;
  const stateOfApp = manyState({ ...app, workers: [] });
  if (!worker) return stateOfApp || maskLine(app.status);
  const own = workerText(app, worker);
  if (own !== null) return [own, stateOfApp].filter(Boolean).join(', ');
  const range = rangeText(app);
  const count = range && `1/${range}`;
  return [workerState(worker), count, stateOfApp].filter(Boolean).join(', ');
}

/**
 * @param {string} reason the primary's reason why a worker is not online
 * @returns {string} `exit 1`, `SIGKILL`, `port 3000 in use`; other reasons unchanged
 */
export function shortenReason(reason) {
  const [, code] = /exit(?:ed with)? code (\d+)/.exec(reason) ?? [];
  if (code !== undefined) return `exit ${code}`;
  const [, place] = /could not listen on (.+): .* listens there/.exec(reason) ?? [];
  if (place !== undefined) return maskLine(`${place} in use`);
  const [, signal] = /was killed by (SIG\w+)/.exec(reason) ?? [];
  return signal ?? maskLine(reason);
}

/** @param {WorkerView} worker @returns {boolean} */
export function isUnhealthy({ status, health }) {
  return status === 'online' && health?.status === 'unhealthy';
}

/** @type {Record<string, string>} */
const activities = {
  reload: 'reloading',
  restart: 'restarting',
  scale: 'scaling',
  start: 'starting',
  stop: 'stopping',
};

/** @param {AppView} app */
function activityOf(app) {
  const { busy, workers } = app;
  if (!busy) return '';
  if (app.canary) return `judging ${formatCountdown(app.canary.forMs - app.canary.judgedMs)}`;
  const activity = activities[busy] ?? maskLine(busy);
  if (!isReloading(app) || workers.length === 0) return activity;
  const replaced = workers.filter((worker) => isNew(worker, app));
  return `${activity} ${replaced.length}/${workers.length}`;
}

/** @param {AppView} app */
function isReloading({ busy }) {
  return busy === 'reload';
}

/**
 * The app keeps its old generation until the reload has ended.
 * @param {WorkerView} worker
 * @param {AppView} app
 */
function isNew(worker, app) {
  return Number(worker.generation) > Number(app.generation);
}

/** @param {AppView} app */
function onlineCount(app) {
  const { workers, status, busy } = app;
  if (workers.length === 0) return '';
  const online = workers.filter((worker) => worker.status === 'online').length;
  const range = rangeText(app);
  if (online === workers.length) return busy ? '' : `${online}${range && `/${range}`} online`;
  const noneRuns = workers.every((worker) => ['stopped', 'exited'].includes(worker.status));
  return noneRuns ? maskLine(status) : `${online}/${workers.length} online`;
}
