/** Describes in a few words what an app or a worker is doing, and what is wrong with it. */
import { escapeLine } from './escape.js';
import { isKilled } from './reason.js';
import { statusTone } from './tone.js';
import { ageOf, formatAge, formatAgo, formatCountdown, formatMemory } from './quantity.js';
import { say } from './features.js';

/**
 * @import { App, Worker } from '../protocol/shapes.js'
 * @import { BareRow } from './rows.js'
 * @import { Tone } from './tone.js'
 */

/** @param {BareRow} row @param {number} now epoch ms @returns {string} what it is doing, and what is wrong with it, without the cause */
export function stateText({ app, worker, kind, count }, now) {
  const text = kind === 'worker' && worker ? workerState(app, worker, now) : appState(app, now);
  return count === undefined ? text : `${text} ×${count}`;
}

/** @param {App} app @param {number} now epoch ms @returns {string} the same for an app */
export function appState(app, now) {
  const { waitsFor } = app;
  if (waitsFor) return `waiting for ${escapeLine(waitsFor.join(', ')) || 'its turn'}`;
  return app.workers.length > 1 ? manyState(app, now) : singleState(app, now);
}

/**
 * @param {BareRow} row
 * @param {number} now epoch ms
 * @returns {Tone | 'off'} good: healthy; warn: it serves, but not as it should; bad: broken
 */
export function stateTone(row, now) {
  const { app, worker, kind } = row;
  if (app.waitsFor) return 'warn';
  if ((worker ? [worker] : app.workers).some(isUnhealthy)) return 'bad';
  const tone = runTone(app, (worker ?? app).status);
  const isPartly = kind === 'app' && app.workers.some((each) => each.status === 'online');
  if (tone === 'bad' && isPartly) return 'warn';
  const { verdict } = tone === 'good' ? troublesOf(app, worker, now) : FINE;
  return verdict === undefined ? tone : statusTone(verdict);
}

/** @param {App} app @param {string} status */
function runTone({ job }, status) {
  const hasFailed = status === 'waiting' && job?.lastRun?.ok === false;
  return hasFailed ? 'bad' : statusTone(status);
}

/** @type {{verdict?: string, texts: string[]}} */
const FINE = { texts: [] };

/** What is not as it should be of one that serves. @param {App} app @param {Worker | null} worker null: all @param {number} now */
export function troublesOf(app, worker, now) {
  if (worker !== null && worker.status !== 'online') return FINE;
  // What it did before does not matter any more.
  if (worker === null && app.workers.length > 0 && app.workers.every(hasEnded)) return FINE;
  // What a feature says in place of the status has what is wrong in it.
  if (worker !== null && say('worker', app, worker, now).length > 0) return FINE;
  const all = say('troubles', app, worker, now);
  const worst = all.find(({ verdict }) => statusTone(verdict) === 'bad') ?? all.at(0);
  return { verdict: worst?.verdict, texts: all.flatMap(({ texts }) => texts) };
}

/**
 * @param {App} app
 * @param {Worker} worker of it
 * @param {number} now epoch ms
 * @returns {string} its status in one word; if that is `online`, perhaps `unhealthy` or what a feature says
 */
export function statusWord(app, worker, now) {
  if (isUnhealthy(worker)) return 'unhealthy';
  return troublesOf(app, worker, now).verdict ?? escapeLine(worker.status);
}

/**
 * @param {App} app
 * @param {Worker} worker of it
 * @param {number} now epoch ms
 * @returns {string} `online`, `unhealthy`, `backoff 4s`, `starting again`, `blocked 12s`, `errored 13m ago`; after them
 *   what is not as it should be: `, oldest request 5s`
 */
export function workerState(app, worker, now) {
  const [own] = say('worker', app, worker, now);
  if (own !== undefined) return own;
  const word = statusWord(app, worker, now);
  if (app.busy === 'reload' && isNew(worker, app)) {
    return worker.beside ? `${word}, new, beside the old` : `${word}, new`;
  }
  if (worker.status === 'backoff' && worker.pid !== undefined) return 'starting again';
  const timed = [word, timeText(worker, now)].filter(Boolean).join(' ');
  return [timed, ...troublesOf(app, worker, now).texts].join(', ');
}

/** @param {Worker} worker @param {number} now */
function timeText({ status, blockedSince, exitedAt, retryAt = 0 }, now) {
  if (status === 'blocked') return blockedSince && formatAge(ageOf(blockedSince, now));
  if (status === 'errored') return exitedAt && formatAgo(exitedAt, now);
  // Without a countdown, the start is due and waits for its turn.
  return retryAt > now && formatCountdown(retryAt - now);
}

/**
 * @param {App} app
 * @param {number} now
 * @returns {string} `4 online`, `3/2–8 online`, `reloading 2/4`, `4 online, 1 unhealthy`, `3/4 online, log: 1.2M lost`
 */
function manyState(app, now) {
  const { workers } = app;
  const unhealthy = workers.filter(isUnhealthy).length;
  const parts = [
    activityOf(app),
    onlineCount(app),
    unhealthy > 0 && `${unhealthy} unhealthy`,
    ...troublesOf(app, null, now).texts,
    app.logDroppedBytes && `log: ${formatMemory(app.logDroppedBytes)} lost`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** The state of the only worker, if there is one, and what manyState() adds to it. @param {App} app @param {number} now */
function singleState(app, now) {
  const [worker] = app.workers;
  const stateOfApp = manyState({ ...app, workers: [] }, now);
  if (!worker) return stateOfApp || escapeLine(app.status);
  const range = say('range', app).join('');
  const count = range && `1/${range}`;
  // That the app is reloaded is said once, at the end.
  const state = workerState({ ...app, busy: undefined }, worker, now);
  return [...new Set([state, count, stateOfApp])].filter(Boolean).join(', ');
}

/** @param {Worker} worker */
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

/** @param {Worker} worker @returns {boolean} whether it has crashed lately, in each phase of a crash loop */
export function isCrashing({ status, crash }) {
  return (
    ['backoff', 'errored'].includes(status) || (crash !== undefined && !isKilled(crash.reason))
  );
}

/** @param {App} app */
function activityOf(app) {
  const { busy, workers, instances } = app;
  if (!busy) return '';
  const activity = activities[busy] ?? escapeLine(busy);
  if (busy !== 'reload' || workers.length === 0) return activity;
  const online = workers.filter(({ status }) => status === 'online');
  const replaced = online.filter((worker) => isNew(worker, app) && !worker.beside);
  return `${activity} ${replaced.length}/${instances}`;
}

/** The app keeps its old generation until the reload has ended. @param {Worker} worker @param {App} app */
function isNew(worker, app) {
  return Number(worker.generation) > Number(app.generation);
}

/** Only a command starts it again. @param {Pick<Worker, 'status'>} worker */
export function hasEnded({ status }) {
  return ['stopped', 'exited', 'errored'].includes(status);
}

/** @param {App} app */
function onlineCount(app) {
  const { workers, status, busy, instances } = app;
  if (workers.length === 0) return '';
  const online = workers.filter((worker) => worker.status === 'online').length;
  const range = say('range', app).join('');
  if (online === instances) return busy ? '' : `${online}${range && `/${range}`} online`;
  return workers.every(hasEnded) ? escapeLine(status) : `${online}/${instances} online`;
}
