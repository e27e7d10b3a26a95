/**
 * Bringing what is to what is wanted, without a user's command: after the daemon found a primary of
 * an earlier daemon, and after a primary ended by itself.
 */
import { bringUp } from './start.js';
import { endApp } from './stop.js';

/**
 * @typedef {import('../world.js').World} World
 * @typedef {import('../app.js').App} App
 */

/**
 * @param {World} world
 * @param {App} app
 * @returns {Promise<void>}
 * @throws {import('../../errors/error.js').NodeclusterError} E_PRIMARY_START and others
 */
export async function reconcile(world, app) {
  if (world.ending || app.deleted || app.link.state === 'unknown') return;
  if (app.stopped) {
    if (app.link.state === 'connected') await endApp(world, app);
  } else if (app.link.state === 'none') {
    await bringUp(world, app, app.wantedSlots, ignore);
  } else {
    await align(world, app);
  }
}

/**
 * @param {World} world
 * @param {App} app
 */
async function align(world, app) {
  await idle(app.link);
  if (app.link.snapshot === null) return;
  await settleAttempt(world, app, app.link.snapshot);
  const { slots } = app.link.snapshot;
  const present = slots.map(({ slot }) => slot).sort(byNumber);
  if (String(present) !== String(app.slots)) {
    await app.link.request('scale', { spec: app.spec, slots: app.slots });
  }
  const isStopped = (/** @type {number} */ number) =>
    slots.find(({ slot }) => slot === number)?.status === 'stopped';
  const toStart = app.wantedSlots.filter(isStopped);
  if (toStart.length > 0) await app.link.request('start', { slots: toStart });
  const toStop = [...app.stoppedSlots].filter((slot) => !isStopped(slot));
  if (toStop.length > 0) await app.link.request('stop', { slots: toStop });
}

/**
 * An earlier daemon did not see how the replacement of the workers ended; the primary knows.
 * @param {World} world
 * @param {App} app
 * @param {import('../primary-link.js').Snapshot} snapshot
 */
async function settleAttempt(world, app, { generation }) {
  if (app.attempt === null) return;
  if (generation === app.attempt.generation) {
    app.spec = app.withOwnCount(app.attempt.spec);
  }
  app.attempt = null;
  await world.table.save();
}

/**
 * Waits for what an earlier daemon began.
 * @param {import('../primary-link.js').PrimaryLink} link
 * @returns {Promise<void>}
 */
function idle(link) {
  return new Promise((resolve) => {
    const look = () => {
      if (link.state === 'connected' && link.snapshot?.busy) return;
      link.off('state', look).off('lost', look);
      resolve();
    };
    link.on('state', look).on('lost', look);
    look();
  });
}

/**
 * @param {number} a
 * @param {number} b
 */
function byNumber(a, b) {
  return a - b;
}

function ignore() {}
