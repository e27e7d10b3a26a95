/** Restarts primaries that exited or could not be started, first at once, then with growing delays. */
import { NodeclusterError } from '../../errors/error.js';
import { reconcile } from '../actions/reconcile.js';
import { limitPerCore, RECOVERY } from '../apps/command-queue.js';
import { untilExited, untilStarted, runInOrder } from '../apps/dependencies.js';
import { relaunchDelay } from '../delays.js';
import { publishEvents } from '../events.js';
import { noteReadiness } from '../apps/record.js';

/**
 * @import { Condition } from '../../config/spec.js'
 * @import { App } from '../apps/app.js'
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { Daemon } from '../daemon.js'
 */

/** ms; a primary that ran this long was not started in vain. */
const STABLE_MS = 60_000;
/** How long a recovery waits for an app that must exit, such as a migration without work to do. */
const EXIT_TIMEOUT_MS = 60_000;

/**
 * Must be called before the daemon connects to the primary, so that nothing is missed.
 * @param {Daemon} daemon
 * @param {App} app
 */
export function supervise(daemon, app) {
  publishEvents(daemon, app);
  noteReadiness(app);
  let deaths = 0;
  let lastDeath = -Infinity;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  app.link.on('state', (/** @type {Snapshot} */ { listeningRecord }) => {
    // Saved with the next change of the app, such as its stop.
    app.listeningRecord = listeningRecord ?? app.listeningRecord;
  });
  app.link.on('found', () => recover(daemon, app));
  app.link.on('lost', () => {
    const now = performance.now();
    deaths = now - lastDeath > STABLE_MS ? 1 : deaths + 1;
    lastDeath = now;
    const delay = relaunchDelay(deaths);
    if (app.deleted) return;
    // A stop or a delete that could not reach it is finished.
    if (app.stopped) return void recover(daemon, app);
    daemon.log.warn('primary.restarting', { app: app.name, inMs: delay, deaths });
    clearTimeout(timer);
    timer = setTimeout(() => recover(daemon, app), delay);
  });
}

/**
 * After a reboot nothing runs: a few apps are started at a time, and an app waits until those that it
 * depends on are what it waits for, or have failed once.
 * @param {Daemon} daemon
 * @param {App[]} apps
 * @returns {Promise<void>} when each has been found, or started once
 */
export async function recoverAll(daemon, apps) {
  const isMissing = (/** @type {App} */ app) => app.isDown && !app.stopped;
  const found = apps.filter((app) => !isMissing(app)).map((app) => recover(daemon, app));
  const limited = limitPerCore();
  const started = runInOrder(
    apps.filter(isMissing),
    'first',
    (app) => limited(() => recover(daemon, app)),
    (...waiting) => whenFulfilled(daemon, ...waiting),
  );
  await Promise.all([...found, started]);
}

/**
 * After a failure, the app that waits starts anyway: it ran before the reboot.
 * @param {Daemon} daemon @param {App} other @param {Condition} condition
 * @param {Promise<void>} done the other one has been started once @param {App} app that waits
 */
async function whenFulfilled({ log }, other, condition, done, { name: app }) {
  await (condition === 'started' ? untilStarted(() => other, new Set(), done) : done);
  if (condition !== 'exited') return;
  const completion = await untilExited(() => other, EXIT_TIMEOUT_MS);
  if (completion.verdict === 'exited') return;
  const reason = completion.verdict === 'failed' ? completion.reason : 'has not exited yet';
  log.warn('dependency.missing', { app, dependency: other.name, reason });
}

/** @param {Daemon} daemon @param {App} app */
async function recover(daemon, app) {
  try {
    await app.queue.run(RECOVERY, () =>
      // It may finish what an earlier daemon began, such as a reload or a delete.
      reconcile(daemon, app).finally(() => daemon.features.sync(app)),
    );
  } catch (thrown) {
    const { message: reason } = NodeclusterError.from(thrown);
    daemon.log.error('recovery.failed', { app: app.name, reason });
  }
}
