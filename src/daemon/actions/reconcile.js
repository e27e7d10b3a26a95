/**
 * Makes the actual state match the desired one without a command: after the daemon has found a
 * primary that an earlier daemon started, and after a primary has exited unexpectedly.
 */
import { neededFor } from '../../config/compare-specs.js';
import { requestTimeout } from '../delays.js';
import { removeApp, shutDownApp, shutDownPrimary } from './stop.js';
import { commitSpec } from './replace.js';
import { needsNewPrimary, replacePrimary, restartPrimary } from './replace-primary.js';
import { startSlots } from './start.js';

/**
 * @import { NodeclusterError } from '../../errors/error.js'
 * @import { App } from '../apps/app.js'
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { Daemon } from '../daemon.js'
 */

/** @param {Daemon} daemon @param {App} app @throws {NodeclusterError} E_PRIMARY_START and others */
export async function reconcile(daemon, app) {
  if (daemon.isEnding || app.deleted || app.link.state === 'unknown') return;
  if (app.deleting) {
    await removeApp(daemon, app, { slots: null }, ignoreProgress);
  } else if (app.stopped) {
    if (app.link.state === 'connected') await shutDownApp(daemon, app);
    // A worker without an agent outlives a primary that is killed.
    else await shutDownPrimary(app);
  } else if (app.link.state === 'none') {
    await startSlots(daemon, app, app.desiredSlots, ignoreProgress);
  } else {
    if (app.link.succession.isPending) await replacePrimary(daemon, app, {}, ignoreProgress);
    await align(daemon, app);
  }
}

/** @param {Daemon} daemon @param {App} app */
async function align(daemon, app) {
  const addedMs = app.link.snapshot ? daemon.features.addedMs(app.link.snapshot) : 0;
  const reloadMs = requestTimeout('reload', app.spec, app.slots.length) + addedMs;
  await app.link.whenIdle(reloadMs);
  // If the primary has exited, its restart handles the rollout too.
  if (app.link.state !== 'connected' || app.link.snapshot === null) return;
  await finishRollout(daemon, app, app.link.snapshot);
  const { slots, spec } = app.link.snapshot;
  if (needsNewPrimary(spec, app.spec)) {
    await restartPrimary(daemon, app, spec, ignoreProgress);
    return;
  }
  const actual = slots.map(({ slot }) => slot).sort((a, b) => a - b);
  if (String(actual) !== String(app.slots)) {
    await app.request('scale', { spec: app.spec, slots: app.slots });
  } else if (hasOldSettings(app, app.link.snapshot)) {
    await app.request('configure', { spec: app.spec });
  }
  const isStopped = (/** @type {number} */ number) =>
    slots.find(({ slot }) => slot === number)?.status === 'stopped';
  const toStart = app.spec.onDemand ? [] : app.desiredSlots.filter(isStopped);
  if (toStart.length > 0) await app.request('start', { slots: toStart });
  const toStop = [...app.stoppedSlots].filter((slot) => !isStopped(slot));
  if (toStop.length > 0) await app.request('stop', { slots: toStop });
}

/**
 * An earlier daemon did not see how its rollout ended; the primary knows.
 * @param {Daemon} daemon
 * @param {App} app
 * @param {Snapshot} snapshot
 */
async function finishRollout(daemon, app, { generation }) {
  if (app.rollout === null) return;
  if (generation === app.rollout.generation) commitSpec(daemon, app, app.rollout);
  app.rollout = null;
  await daemon.table.save();
}

/**
 * Whether the primary has old values of settings that need no new worker. A primary whose
 * generation is higher than the saved one has the newer settings (see unrecorded.js).
 * @param {App} app
 * @param {Snapshot} snapshot
 */
function hasOldSettings({ spec, generation }, snapshot) {
  if (snapshot.generation > generation) return false;
  const { instances, env, shellEnv } = spec;
  return neededFor({ ...snapshot.spec, instances, env, shellEnv }, spec) === 'nothing';
}

function ignoreProgress() {}
