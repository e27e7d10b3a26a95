/** `kill`: stops every app, and then the daemon. */
import { within } from '../../shared/deadline.js';
import { shutDownApp } from './stop.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Handler } from '../control/methods.js'
 */

/** ms for commands in progress to reply after their app has stopped. */
const REPLY_MS = 2000;

/** @type {Handler<'kill'>} */
export async function killAll(daemon) {
  daemon.isEnding = true;
  const apps = daemon.table.all();
  /** @type {Set<App>} */
  const ended = new Set();
  const shutdowns = apps.map(async (app) => {
    if ((await shutDownApp(daemon, app)) !== null) ended.add(app);
  });
  try {
    await Promise.allSettled(shutdowns);
    // Clients of other commands get their outcome first.
    await within(Promise.all(apps.map(({ queue }) => queue.whenDone())), REPLY_MS);
    await Promise.all(shutdowns);
    return { apps: apps.filter((app) => ended.has(app)).map(({ name }) => name) };
  } finally {
    daemon.end();
  }
}
