/** What HAProxy's agent-check is told about an app (HAProxy 2.6, configuration.txt, `agent-check`). */

/** @import { App } from '../../protocol/shapes.js' */

/** HAProxy changes nothing. */
export const NO_CHANGE = { line: '', why: 'the state of the apps is not known' };
/** Every app is being stopped, with the daemon. */
export const DRAIN_ALL = { line: 'up 0%', why: 'all apps are being stopped' };

/**
 * @typedef {object} Answer
 * @property {string} line for HAProxy
 * @property {string} why for people; HAProxy reads only the first line
 */

/**
 * `up 0%` and not `drain`, which only `ready` ends: `ready` would also end a `maint` that an operator
 * has set in HAProxy. A reason needs the space before it: HAProxy 2.6 ignores `down#reason`.
 * @param {string} name of the app
 * @param {App | undefined} app undefined: there is none of that name
 * @param {Steering | null} before what the last answer about this app left
 * @param {number} nowMs monotonic
 * @returns {{answer: Answer, steering: Steering | null}} steering null: a load from before does not describe what comes
 *   after
 */
export function answerFor(name, app, before, nowMs) {
  if (!app) return { answer: down('fail', `there is no app ${name}`), steering: null };
  if (app.status === 'unknown') return { answer: NO_CHANGE, steering: before };
  const ready = app.workers.filter(({ isReady }) => isReady);
  if (ready.length === 0) return { answer: unready(name, app), steering: null };
  const loads = ready.flatMap(({ elu }) => elu ?? []);
  const load = mean(loads) ?? before?.load ?? null;
  const steering = load === null ? null : steer(before, load, nowMs);
  const weight = weightOfReady(steering?.weight ?? 100, {
    ready: ready.length,
    desired: app.workers.length,
  });
  const busy = load === null ? '' : `, busy ${Math.round(load * 100)} %`;
  const why = `${name}: ${ready.length} of ${app.workers.length} workers ready${busy}`;
  return { answer: { line: `up ${weight}%`, why }, steering };
}

/** @param {string} name @param {App} app without a worker that is ready */
function unready(name, { status, busy, workers }) {
  if (status === 'stopped') return down('stopped', `${name} is stopped`);
  const isStopping = workers.some((worker) => ['draining', 'stopping'].includes(worker.status));
  if (busy === 'stop' || isStopping) return { line: 'up 0%', why: `${name} is being stopped` };
  // A worker that is online and not ready waits for its health check, or fails it.
  return down('down', `no worker of ${name} is ready (${workers[0]?.health?.status ?? status})`);
}

/** @param {'down' | 'fail' | 'stopped'} word @param {string} why */
function down(word, why) {
  return { line: `${word} #${why}`, why };
}

/** @param {number[]} values */
function mean(values) {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value) / values.length;
}

/** Below this load nothing is steered: an event loop that is half idle delays nobody. */
const STEERED_FROM = 0.5;
/** Load alone never takes a machine out: if all are overloaded, somebody must serve. */
const MIN_PERCENT = 10;
/** Time in which a new load counts for about two thirds. */
const SMOOTHING_MS = 10_000;
/** From 100 to 10 takes at least 15 s. */
const MAX_CHANGE_PER_SECOND = 1.17;
/** A smaller change is not passed on. */
const MIN_CHANGE = 1.1;
/** After a longer pause between two answers, what was known is out of date. */
const PAUSE_MS = 30_000;

/**
 * @typedef {object} Steering what one answer leaves for the next
 * @property {number} atMs monotonic
 * @property {number} load smoothed, 0 to 1
 * @property {number} percent follows the load, at a limited rate
 * @property {number} weight the percent that was last passed on
 */

/**
 * Which share of new requests a load balancer should send to this machine, in percent of what it gives to an idle one. Every step here is slow on purpose. The balancer moves load to where the weight is high, which lowers it there: with a prompt answer two machines would pass the load to and fro. And every step is relative, since the balancer compares weights: from 20 to 10 is as much as from 100 to 50.
 * @param {Steering | null} before null: the first answer
 * @param {number} load mean utilisation of the event loops of the workers that are ready, 0 to 1
 * @param {number} nowMs monotonic
 * @returns {Steering} whose `weight` is 10 to 100
 */
export function steer(before, load, nowMs) {
  if (before === null || nowMs - before.atMs > PAUSE_MS) {
    const percent = percentFor(load);
    return { atMs: nowMs, load, percent, weight: Math.round(percent) };
  }
  const elapsedMs = nowMs - before.atMs;
  const smoothed = load + (before.load - load) * Math.exp(-elapsedMs / SMOOTHING_MS);
  const maxChange = MAX_CHANGE_PER_SECOND ** (elapsedMs / 1000);
  const change = percentFor(smoothed) / before.percent;
  const percent = before.percent * Math.min(maxChange, Math.max(1 / maxChange, change));
  const isPassedOn = Math.max(percent / before.weight, before.weight / percent) >= MIN_CHANGE;
  const weight = isPassedOn ? Math.round(percent) : before.weight;
  return { atMs: nowMs, load: smoothed, percent, weight };
}

/**
 * Missing workers count at once and in full, since they are a fact and not a measurement.
 * @param {number} weight
 * @param {{ready: number, desired: number}} workers at least one of them is ready
 * @returns {number} percent, at least 1
 */
export function weightOfReady(weight, { ready, desired }) {
  return Math.max(1, Math.round((weight * Math.min(ready, desired)) / desired));
}

/** @param {number} load */
function percentFor(load) {
  const excess = Math.max(0, load - STEERED_FROM) / (1 - STEERED_FROM);
  return 100 * (MIN_PERCENT / 100) ** Math.min(1, excess);
}
