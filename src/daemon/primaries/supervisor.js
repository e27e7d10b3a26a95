/** Restarts primaries that exited or could not be started, first at once, then with growing delays. */
import { NodeclusterError } from '../../errors/error.js';
import { machineMs } from '../../shared/monotonic.js';
import { reconcile } from '../actions/reconcile.js';
import { limitPerCore } from '../apps/at-once.js';
import { RECOVERY } from '../apps/command-queue.js';
import { runInOrder } from '../apps/dependencies.js';
import { restartDelay } from '../delays.js';
import { workerEvents } from '../events/worker-events.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { Daemon } from '../daemon.js'
 */

/** ms; a primary that ran this long counts as healthy. */
const HEALTHY_MS = 60_000;

/**
 * @param {Daemon} daemon
 * @param {App} app
 */
export function supervise(daemon, app) {
  let deaths = 0;
  let lastDeath = -Infinity;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let { snapshot: before } = app.link;
  app.link.on('state', (/** @type {Snapshot} */ after) => {
    for (const { level, event, fields } of workerEvents(before, after, machineMs())) {
      daemon.log[level](event, { app: app.name, ...fields });
    }
    before = after;
    // Saved with the next change of the app, such as its stop.
    app.listeningRecord = after.listeningRecord ?? app.listeningRecord;
  });
  app.link.on('found', () => recover(daemon, app));
  app.link.on('lost', () => {
    const now = performance.now();
    deaths = now - lastDeath > HEALTHY_MS ? 1 : deaths + 1;
    lastDeath = now;
    const delay = restartDelay(deaths);
    if (app.deleted || app.stopped) return;
    daemon.log.warn('primary.restarting', { app: app.name, inMs: delay, deaths });
    clearTimeout(timer);
    timer = setTimeout(() => recover(daemon, app), delay);
  });
}

/**
 * After a reboot nothing runs: a few apps are started at a time, and an app waits until those that it
 * depends on have been started, or have failed once.
 * @param {Daemon} daemon
 * @param {App[]} apps
 * @returns {Promise<void>} when each has been found, or started once
 */
export async function recoverAll(daemon, apps) {
  const isMissing = (/** @type {App} */ app) => app.isDown && !app.stopped;
  const found = apps.filter((app) => !isMissing(app)).map((app) => recover(daemon, app));
  const missing = apps.filter(isMissing).map((app) => ({
    name: app.name,
    dependsOn: app.spec.dependsOn,
    app,
  }));
  const limited = limitPerCore();
  const started = runInOrder(missing, 'first', ({ app }) => limited(() => recover(daemon, app)));
  await Promise.all([...found, started]);
}

/** @param {Daemon} daemon @param {App} app */
async function recover(daemon, app) {
  try {
    await app.queue.run(RECOVERY, () => reconcile(daemon, app));
  } catch (thrown) {
    const { message: reason } = NodeclusterError.from(thrown);
    daemon.log.error('recovery.failed', { app: app.name, reason });
  }
}
