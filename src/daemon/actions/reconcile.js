/**
 * Bringing what is to what is wanted, without a user's command: after the daemon found a primary of
 * an earlier daemon, and after a primary ended by itself.
 */
import { compareSpecs } from '../../config/compare-specs.js';
import { needsPrimary, restartPrimary } from './replace.js';
import { bringUp } from './start.js';
import { endApp } from './stop.js';

/**
 * @import { NodeclusterError } from '../../errors/error.js'
 * @import { App } from '../apps/app.js'
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { World } from '../control/world.js'
 * @import { PrimaryLink } from '../primaries/link.js'
 */

/**
 * @param {World} world
 * @param {App} app
 * @returns {Promise<void>}
 * @throws {NodeclusterError} E_PRIMARY_START and others
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
  // A primary that has ended is started anew, which settles the attempt too.
  if (app.link.state !== 'connected' || app.link.snapshot === null) return;
  await settleAttempt(world, app, app.link.snapshot);
  const { slots, spec } = app.link.snapshot;
  if (needsPrimary(spec, app.spec)) {
    await restartPrimary(world, app, spec, ignore);
    return;
  }
  const present = slots.map(({ slot }) => slot).sort(byNumber);
  if (String(present) !== String(app.slots)) {
    await app.link.request('scale', { spec: app.spec, slots: app.slots });
  } else if (hasOtherSettings(app, app.link.snapshot)) {
    await app.link.request('configure', { spec: app.spec });
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
 * @param {Snapshot} snapshot
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
 * Whether the primary has not heard of settings that need no new worker. One that is further than
 * what is written of it (see orphans.js) knows better.
 * @param {App} app
 * @param {Snapshot} snapshot
 */
function hasOtherSettings({ spec, generation }, snapshot) {
  if (snapshot.generation > generation) return false;
  const { instances, env, shellEnv } = spec;
  const { needs } = compareSpecs({ ...snapshot.spec, instances, env, shellEnv }, spec);
  return needs === 'nothing';
}

/**
 * Waits for what an earlier daemon began.
 * @param {PrimaryLink} link
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
