/** Keeps primaries running: one that ends by itself is started again, at once and then ever later. */
import { NodeclusterError } from '../../errors/error.js';
import { reconcile } from '../actions/reconcile.js';
import { machineMs } from '../../shared/monotonic.js';
import { workerEvents } from '../events/worker-events.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { World } from '../control/world.js'
 */

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** A primary that lived so long counts as sound; the next death is the first again. */
const SOUND_MS = 60_000;

/**
 * @param {number} deaths without a sound life between them
 * @returns {number} ms
 */
export function restartDelay(deaths) {
  return deaths <= 1 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (deaths - 2), MAX_DELAY_MS);
}

/**
 * @param {World} world
 * @param {App} app
 * @returns {() => void} starts it again, as after a death
 */
export function keep(world, app) {
  let deaths = 0;
  let lastDeath = -Infinity;
  let { snapshot } = app.link;
  app.link.on('state', () => {
    logWorkers(world, app, snapshot);
    snapshot = app.link.snapshot;
  });
  app.link.on('found', () => recover(world, app));
  app.link.on('lost', onLost);
  return onLost;

  function onLost() {
    const now = performance.now();
    deaths = now - lastDeath > SOUND_MS ? 1 : deaths + 1;
    lastDeath = now;
    const delay = restartDelay(deaths);
    if (app.deleted || app.stopped) return;
    world.log.warn('primary.again', { app: app.name, inMs: delay, deaths });
    setTimeout(async () => {
      if (!(await recover(world, app))) onLost();
    }, delay);
  }
}

/**
 * @param {World} world
 * @param {App} app
 * @param {Snapshot | null} before
 */
function logWorkers({ log }, { name, link }, before) {
  if (link.snapshot === null) return;
  for (const { level, event, fields } of workerEvents(before, link.snapshot, machineMs())) {
    log[level](event, { app: name, ...fields });
  }
}

/**
 * @param {World} world
 * @param {App} app
 * @returns {Promise<boolean>} false when it has no primary although it should
 */
export async function recover(world, app) {
  try {
    await app.lane.run('recovery', () => reconcile(world, app));
  } catch (thrown) {
    const { message: reason } = NodeclusterError.from(thrown);
    world.log.error('recovery.failed', { app: app.name, reason });
  }
  return app.deleted || app.stopped || app.link.state !== 'none';
}
