/** Stops workers for good: neither the primary nor the next daemon starts them again. Deletes them. `kill`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError, ignoreError } from '../../errors/error.js';
import { within } from '../../shared/deadline.js';
import { runInOrder } from '../apps/dependencies.js';
import { shutdownTimeout } from '../delays.js';
import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { scaledWithout } from '../apps/slots.js';
import { noteChange } from '../apps/table.js';
import { clearUserDirectory } from '../users/user-primary.js';
import { scaleApp } from './scale.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { Handler } from '../control/methods.js'
 * @import { Action, ReportProgress } from '../control/run-command.js'
 * @import { Daemon } from '../daemon.js'
 */

/** Stopping the last worker also shuts down the primary. @type {Action} */
export async function stopApp(daemon, app, { slots }, report) {
  const stopping = slots ?? app.slots;
  const before = app.toDesired();
  app.killed = false;
  const { isDown, isWaiting, stoppedSlots, desiredSlots } = app;
  const isPart = desiredSlots.some((slot) => !stopping.includes(slot));
  if (isPart) app.stoppedSlots = [...new Set([...stoppedSlots, ...stopping])];
  else app.desireStop();
  noteChange(app, before);
  if (isPart) {
    const stop = async () =>
      app.isDown ? { ok: true } : app.request('stop', { slots: stopping }, { report });
    return saveThenStop(daemon, app, stop);
  }
  const outcome = (await shutDownApp(daemon, app, report)) ?? { ok: true };
  const { done = stopping } = outcome;
  const ran = isDown && !isWaiting ? [] : done.filter((slot) => !stoppedSlots.includes(slot));
  return { ...outcome, done: ran };
}

/**
 * Until then they serve and are not ready any more, so that load balancers leave them.
 * @template T
 * @param {App[]} apps
 * @param {() => Promise<T>} stop
 */
async function afterDelay(apps, stop) {
  const serving = apps.filter(({ spec, link: { state, snapshot } }) => {
    const isServing = snapshot?.slots.some(({ status }) => status === 'online');
    return spec.shutdownDelayMs > 0 && state === 'connected' && isServing;
  });
  for (const app of serving) app.isLeaving = true;
  try {
    if (serving.length > 0)
      await sleep(Math.max(...serving.map(({ spec }) => spec.shutdownDelayMs)));
    return await stop();
  } finally {
    for (const app of serving) app.isLeaving = false;
  }
}

/**
 * Stops the whole app, whatever it is doing, and removes it if it is being deleted.
 * @param {Daemon} daemon @param {App} app @param {ReportProgress} [report]
 * @returns {Promise<PartialOutcome | null>} null: it had no primary
 * @throws {NodeclusterError} E_END_UNWRITTEN
 */
export function shutDownApp(daemon, app, report) {
  app.desireStop();
  return saveThenStop(daemon, app, async () => {
    const outcome = await afterDelay([app], () => shutDownPrimary(app, report));
    if (!app.deleting) return outcome;
    await removeFiles(daemon.paths.app(app.name, app.spec.uid));
    daemon.table.remove(app);
    return outcome;
  });
}

/**
 * The machine is shutting down: the desired state stays, so that the apps start at the next boot.
 * @param {Daemon} daemon
 */
export async function stopForShutdown(daemon) {
  daemon.isEnding = true;
  const all = daemon.table.all();
  const stop = () =>
    runInOrder(all, 'last', (app) =>
      shutDownPrimary(app).catch(({ message: reason }) =>
        daemon.log.error('stop.failed', { app: app.name, reason }),
      ),
    );
  // `run` has waited by itself, until a second signal.
  await afterDelay(daemon.isShuttingDown ? [] : all, stop);
}

/**
 * A full disk does not prevent a stop; it is reported afterwards, unless another command has saved it meanwhile.
 * @template T @param {Daemon} daemon @param {App} app @param {() => Promise<T>} stop
 */
async function saveThenStop({ table, isEnding }, app, stop) {
  const unsaved = await table.saveOrRetry();
  const outcome = await stop();
  const error = unsaved || app.deleted ? await table.saveOrRetry() : null;
  if (error === null) return outcome;
  const during = isEnding ? 'kill' : app.deleting ? 'delete' : 'stop';
  throw new NodeclusterError('E_END_UNWRITTEN', { ...error.data, during }, error);
}

/**
 * Shuts down the primary and its workers; the desired state does not change.
 * @param {App} app @param {ReportProgress} [report]
 * @param {'later'} [goesOn] clients wait for the next primary
 * @returns {Promise<PartialOutcome | null>} null: there was none
 */
export async function shutDownPrimary(app, report, goesOn) {
  const { link, second, spec } = app;
  const { killSignal } = spec;
  const timeoutMs = shutdownTimeout(spec);
  // It would serve as soon as the first one has ended.
  await second?.shutdown({ timeoutMs, killSignal });
  return link.shutdown({ timeoutMs, killSignal, report, goesOn });
}

/** ms for commands in progress to reply after their app has stopped. */
const REPLY_MS = 2000;

/** @param {App} app */
const isDesired = ({ stopped, isWaiting }) => !stopped || isWaiting;

/** Stops every app, and then the daemon. @type {Handler<'kill'>} */
export async function killAll(daemon) {
  daemon.isEnding = true;
  const apps = daemon.table.all();
  // What an earlier `kill` remembered counts until another one stops something.
  const stopsSome = apps.some(isDesired);
  for (const app of apps) {
    if (stopsSome) app.killed = isDesired(app);
    // At once, so that a daemon that dies meanwhile leaves none to start again.
    app.desireStop();
  }
  /** @type {Set<App>} */
  const ended = new Set();
  // A failure does not keep the others running.
  const shutdowns = runInOrder(apps, 'last', (app) =>
    shutDownApp(daemon, app).then(
      (outcome) => void (outcome && ended.add(app)),
      (thrown) => thrown,
    ),
  );
  try {
    const failures = (await shutdowns).filter(Boolean);
    // Clients of other commands get their outcome first.
    await within(Promise.all(apps.map(({ queue }) => queue.whenDone())), REPLY_MS);
    if (failures.length > 0) throw failures[0];
    const namesOf = (/** @type {App[]} */ some) => some.map(({ name }) => name);
    return {
      apps: namesOf(apps.filter((app) => ended.has(app))),
      remembered: namesOf(apps.filter(({ killed }) => killed)),
    };
  } finally {
    daemon.end();
  }
}

/** Log files stay. @type {Action} */
export async function removeApp(daemon, app, { slots }, report) {
  if (slots !== null) {
    const outcome = await scaleApp(daemon, app, scaledWithout(app, slots), report);
    return { ...outcome, done: slots };
  }
  const ran = app.isDown ? [] : app.desiredSlots;
  app.deleting = true;
  const { done = ran, ...outcome } = (await shutDownApp(daemon, app, report)) ?? {};
  return { ...outcome, ok: true, done: done.filter((slot) => ran.includes(slot)) };
}

/** @param {ReturnType<Daemon['paths']['app']>} paths of an app that runs as another user */
async function removeFiles(paths) {
  if (paths.user) clearUserDirectory(paths.user);
  const reading = readdir(paths.dir, { withFileTypes: true });
  // Directories of other users are left as they are, with their log files.
  for (const entry of (await reading.catch(ignoreError('ENOENT'))) ?? []) {
    if (!entry.isDirectory()) await rm(path.join(paths.dir, entry.name), { force: true });
  }
  await rmdir(paths.dir).catch(() => {});
}
