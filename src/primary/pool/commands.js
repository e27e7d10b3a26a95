/**
 * What the daemon can ask for: each changes what is wanted, waits until it is so or has failed,
 * and says what became of every slot.
 */
import { gone, settled } from './outcome.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Outcome, SlotFailure } from '../../protocol/shapes.js'
 * @import { App } from './app.js'
 */

/**
 * @param {App} app
 * @param {{slots?: number[]}} order
 * @returns {Promise<Outcome>}
 */
export function start(app, { slots }) {
  const chosen = pick(app, slots);
  for (const slot of chosen) {
    if (!slot.wanted || (slot.blocked && !app.isNew)) slot.want(app.launch);
    // A new primary starts its workers by itself; who asks now shall see them start too.
    for (const worker of app.pool.workersOf(slot.number)) worker.announce();
  }
  app.isNew = false;
  return settled(app, chosen);
}

/**
 * @param {App} app
 * @param {{slots?: number[]}} order
 * @returns {Promise<Outcome>}
 */
export function stop(app, { slots }) {
  const chosen = pick(app, slots);
  for (const slot of chosen) slot.unwant('close');
  return gone(app, chosen);
}

/**
 * Stops everything for good: a command under way can start nothing any more.
 * @param {App} app
 * @returns {Promise<Outcome>}
 */
export async function shutdown(app) {
  app.pool.isEnding = true;
  const [outcome] = await Promise.all([stop(app, {}), app.leftovers.ended]);
  return outcome;
}

/**
 * @param {App} app
 * @param {{slots?: number[], spec?: Spec, generation?: number}} order
 * @returns {Promise<Outcome>}
 */
export async function restart(app, { slots, spec, generation }) {
  const launch = app.nextLaunch(spec, generation);
  const chosen = pick(app, slots);
  const served = new Set(chosen.filter((slot) => app.pool.hasClients(slot)));
  for (const slot of chosen) slot.unwant('close', { comesBack: true });
  const ended = await gone(app, chosen);
  app.launch = launch;
  for (const slot of chosen) {
    slot.want(launch);
    slot.listensAgain = served.has(slot);
  }
  const started = await settled(app, chosen);
  return {
    ...started,
    longLivedCut: ended.longLivedCut,
    minReady: Math.min(ended.minReady, started.minReady),
    durationMs: ended.durationMs + started.durationMs,
  };
}

/**
 * @param {App} app
 * @param {{slots: number[], spec: Spec}} order the slots that there shall be
 * @returns {Promise<Outcome>}
 */
export async function scale(app, { slots: wanted, spec }) {
  const { pool } = app;
  app.configure(spec);
  const surplus = [...pool.slots.values()].filter((slot) => !wanted.includes(slot.number));
  const added = wanted.filter((number) => !pool.slots.has(number));
  const chosen = added.map((number) => pool.slot(number, app.launch));
  for (const slot of surplus) slot.unwant('keep');
  const [started, ended] = await Promise.all([settled(app, chosen), gone(app, surplus)]);
  for (const slot of surplus) pool.slots.delete(slot.number);
  const durationMs = Math.max(started.durationMs, ended.durationMs);
  return { ...started, longLivedCut: ended.longLivedCut, durationMs };
}

/**
 * Begins the counters of restarts and of lost connections anew, and the window of deaths. Nothing is
 * started or ended.
 * @param {App} app
 * @param {{slots?: number[]}} order
 * @returns {{ok: true, done: number[], failed: SlotFailure[]}} failed: those that
 *   have given up, and need more than this
 */
export function reset(app, { slots }) {
  const chosen = pick(app, slots);
  for (const slot of chosen) slot.reset();
  if (app.sockets) app.sockets.givenUp = 0;
  app.pool.changed();
  const failed = chosen.flatMap(({ number, blocked, reason }) =>
    blocked ? [{ slot: number, reason: `stays ${blocked}: ${reason}`, lastLines: [] }] : [],
  );
  return { ok: true, done: chosen.map(({ number }) => number), failed };
}

/**
 * @param {App} app
 * @param {number[] | undefined} numbers
 */
function pick({ pool }, numbers) {
  const all = [...pool.slots.values()];
  return numbers ? all.filter((slot) => numbers.includes(slot.number)) : all;
}
