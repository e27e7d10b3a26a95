/**
 * Brings apps to their desired state without a command: those that a daemon finds, and each whose primary has exited or
 * could not be started, first at once, then with growing delays.
 */
import { NodeclusterError } from '../../errors/error.js';
import { neededFor } from '../../config/compare-specs.js';
import { addedMs } from '../../features/reload.js';
import { commitSpec } from './replace.js';
import { needsNewPrimary, replacePrimary, restartPrimary } from './replace-primary.js';
import { isMoving, startSlots } from './start.js';
import { shutDownApp, shutDownPrimary } from './stop.js';
import { limitPerCore, RECOVERY } from '../apps/command-queue.js';
import {
  missingFor,
  untilExited,
  untilLoaded,
  untilStarted,
  runInOrder,
} from '../apps/dependencies.js';
import { poll } from '../../shared/deadline.js';
import { relaunchDelay, requestTimeout } from '../delays.js';
import { publishEvents } from '../events.js';
import { noteReadiness } from '../apps/record.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { Daemon } from '../daemon.js'
 */

/** ms; a primary that ran this long was not started in vain. */
const STABLE_MS = 60_000;
/** How long a recovery waits for an app that must exit, such as a migration without work to do. */
const EXIT_TIMEOUT_MS = 60_000;
const LOOK_MS = 500;

/**
 * Must be called before the daemon connects to the primary, so that nothing is missed.
 * @param {Daemon} daemon @param {App} app
 */
export function supervise(daemon, app) {
  publishEvents(daemon, app);
  noteReadiness(app);
  app.startLater = () => void startLater(daemon, app);
  let deaths = 0;
  let lastDeath = -Infinity;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  app.on('state', (/** @type {Snapshot} */ { listeningRecord }) => {
    // Saved with the next change of the app, such as its stop.
    app.listeningRecord = listeningRecord ?? app.listeningRecord;
  });
  app.on('found', () => recover(daemon, app));
  app.on('lost', () => {
    const now = performance.now();
    deaths = now - lastDeath > STABLE_MS ? 1 : deaths + 1;
    lastDeath = now;
    const delay = relaunchDelay(deaths);
    if (app.deleted) return;
    // A stop or a delete that could not reach it is finished.
    if (app.stopped) return void recover(daemon, app);
    if (app.hasBeenReady) app.lostAt = now;
    daemon.log.warn('primary.restarting', { app: app.name, inMs: delay, deaths });
    clearTimeout(timer);
    timer = setTimeout(() => recover(daemon, app), delay);
  });
}

/**
 * After a reboot nothing runs: a few apps are started at a time, and an app waits until those that it depends on are
 * what it waits for, or have failed once.
 * @param {Daemon} daemon @param {App[]} apps
 * @returns {Promise<void>} when each has been found, or started once
 */
export async function recoverAll(daemon, apps) {
  const isMissing = (/** @type {App} */ app) => app.isDown && !app.stopped;
  for (const app of apps) if (app.isWaiting) app.startLater();
  const found = apps.filter((app) => !isMissing(app)).map((app) => recover(daemon, app));
  const limited = limitPerCore();
  const missing = apps.filter(isMissing);
  // Their primaries ended with the daemon before, or after it.
  const lost = daemon.events.lastSeenAt === undefined ? [] : missing;
  for (const app of lost)
    if (app.link.id !== null) daemon.events.publish(app, { type: 'primary.lost' });
  const started = runInOrder(
    missing,
    'first',
    (app) =>
      limited((leave) => {
        const recovered = recover(daemon, app);
        void untilLoaded(() => app, recovered).then(leave, leave);
        return recovered;
      }),
    // After a failure, the app that waits starts anyway: it ran before the reboot.
    async (other, condition, done) => {
      await (condition === 'started' ? untilStarted(() => other, new Set(), done) : done);
      if (condition === 'exited') await untilExited(() => other, EXIT_TIMEOUT_MS);
    },
  );
  await Promise.all([...found, started]);
}

/**
 * Starts it once its dependencies are what it waits for, however long that takes, unless a command on it comes first.
 * @param {Daemon} daemon @param {App} app that waits
 */
async function startLater(daemon, app) {
  const { waitsFor } = app;
  const isOver = () => daemon.isEnding || app.deleted || app.waitsFor !== waitsFor;
  const look = () => {
    const missing = missingFor(daemon.table, app);
    if (!isOver()) app.waitsFor?.splice(0, Infinity, ...missing);
    return isOver() || missing.length === 0;
  };
  await poll(look, { everyMs: LOOK_MS });
  if (isOver()) return;
  app.desireSlots(null);
  await daemon.table.saveOrRetry();
  await recover(daemon, app);
}

/** @param {Daemon} daemon @param {App} app */
async function recover(daemon, app) {
  try {
    await app.queue.run(RECOVERY, () =>
      // It may finish what an earlier daemon began, such as a reload or a delete.
      reconcile(daemon, app).finally(() => daemon.features.ask('sync', app)),
    );
  } catch (thrown) {
    const reason = NodeclusterError.from(thrown).message;
    daemon.log.error('recovery.failed', { app: app.name, reason });
  }
}

/**
 * Makes the actual state match the desired one without a command.
 * @param {Daemon} daemon @param {App} app
 */
export async function reconcile(daemon, app) {
  if (daemon.isEnding || app.deleted || app.link.state === 'unknown') return;
  if (app.stopped) {
    if (app.deleting || app.link.state === 'connected') await shutDownApp(daemon, app);
    // A worker without an agent outlives a primary that is killed.
    else await shutDownPrimary(app);
  } else if (app.link.state === 'none') {
    await startSlots(daemon, app, app.desiredSlots, ignoreProgress);
  } else {
    if (isMoving(app)) await replacePrimary(daemon, app, {}, ignoreProgress);
    await align(daemon, app);
  }
}

/** @param {Daemon} daemon @param {App} app */
async function align(daemon, app) {
  const reloadMs = requestTimeout('reload', app.spec, app.slots.length);
  await app.link.whenIdle(reloadMs + addedMs(app.link.snapshot ?? {}));
  // If the primary has exited, its restart handles the rollout too.
  if (app.link.state !== 'connected' || app.link.snapshot === null) return;
  const { slots, spec, generation } = app.link.snapshot;
  if (app.rollout !== null) {
    // An earlier daemon did not see how it ended; the primary knows.
    if (generation === app.rollout.generation) commitSpec(daemon, app, app.rollout);
    app.rollout = null;
    await daemon.table.save();
  }
  if (needsNewPrimary(spec, app.spec)) {
    await restartPrimary(daemon, app, spec, ignoreProgress);
    return;
  }
  const actual = slots.map(({ slot }) => slot).sort((a, b) => a - b);
  if (String(actual) !== String(app.slots) || hasOldSettings(app, app.link.snapshot)) {
    await app.request('scale', { spec: app.spec, slots: app.slots });
  }
  const isStopped = (/** @type {number} */ number) =>
    slots.find(({ slot }) => slot === number)?.status === 'stopped';
  const toStart = app.toFill(app.desiredSlots).filter(isStopped);
  if (toStart.length > 0) await app.request('start', { slots: toStart });
  const toStop = app.stoppedSlots.filter((slot) => !isStopped(slot));
  if (toStop.length > 0) await app.request('stop', { slots: toStop });
}

/** Whether the primary has old values of settings that need no new worker. @param {App} app @param {Snapshot} snapshot */
function hasOldSettings({ spec, generation }, snapshot) {
  // Otherwise it has the newer ones.
  if (snapshot.generation > generation) return false;
  const { instances, env, shellEnv } = spec;
  return neededFor({ ...snapshot.spec, instances, env, shellEnv }, spec) === 'configure';
}

function ignoreProgress() {}
