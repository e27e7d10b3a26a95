/** `kill`: stops every app, and then the daemon; `resurrect` starts again what ran. */
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
  remember(apps);
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
    const namesOf = (/** @type {App[]} */ some) => some.map(({ name }) => name);
    return {
      apps: namesOf(apps.filter((app) => ended.has(app))),
      remembered: namesOf(apps.filter(({ killed }) => killed)),
    };
  } finally {
    daemon.end();
  }
}

/**
 * What an earlier `kill` remembered counts until another one stops something.
 * @param {App[]} apps
 */
function remember(apps) {
  if (apps.every(({ stopped }) => stopped)) return;
  for (const app of apps) app.killed = !app.stopped;
}
