/** What HAProxy's agent-check is told about an app (HAProxy 2.6, configuration.txt, `agent-check`). */
import { steer, weightOfReady } from './weight.js';

/**
 * @import { Steering } from './weight.js'
 * @import { AppView } from '../../protocol/shapes.js'
 */

/** HAProxy changes nothing. */
export const NO_CHANGE = { line: '', why: 'the state of the apps is not known' };
/** Every app is being stopped, with the daemon. */
export const DRAIN_ALL = { line: 'up 0%', why: 'all apps are being stopped' };

/**
 * @typedef {object} Answer
 * @property {string} line for HAProxy
 * @property {string} why for people; HAProxy reads only the first line
 *
 * @typedef {{answer: Answer, steering: Steering | null}} Judged
 */

/**
 * `up 0%` and not `drain`, which only `ready` ends: `ready` would also end a `maint` that an operator
 * has set in HAProxy. A reason needs the space before it: HAProxy 2.6 ignores `down#reason`.
 * @param {string} name of the app
 * @param {AppView | undefined} app undefined: there is none of that name
 * @param {Steering | null} before what the last answer about this app left
 * @param {number} nowMs monotonic
 * @returns {Judged}
 */
export function answerFor(name, app, before, nowMs) {
  if (!app) return withoutSteering(down('fail', `there is no app ${name}`));
  if (app.status === 'unknown') return { answer: NO_CHANGE, steering: before };
  const ready = app.workers.filter(({ isReady }) => isReady);
  if (ready.length === 0) return withoutSteering(unready(name, app));
  const loads = ready.map(({ elu }) => elu ?? null).filter((elu) => elu !== null);
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

/** @param {string} name @param {AppView} app without a worker that is ready @returns {Answer} */
function unready(name, { status, busy, workers }) {
  if (status === 'stopped') return down('stopped', `${name} is stopped`);
  const isStopping = workers.some((worker) => ['draining', 'stopping'].includes(worker.status));
  if (busy === 'stop' || isStopping) return { line: 'up 0%', why: `${name} is being stopped` };
  // A worker that is online and not ready waits for its health check, or fails it.
  return down('down', `no worker of ${name} is ready (${workers[0]?.health?.status ?? status})`);
}

/** @param {'down' | 'fail' | 'stopped'} word @param {string} why @returns {Answer} */
function down(word, why) {
  return { line: `${word} #${why}`, why };
}

/** A load from before does not describe what comes after. @param {Answer} answer @returns {Judged} */
function withoutSteering(answer) {
  return { answer, steering: null };
}

/** @param {number[]} values */
function mean(values) {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value) / values.length;
}
