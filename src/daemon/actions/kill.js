/** `kill`: stops every app, and then the daemon. `save`. */
import { within } from '../../shared/deadline.js';
import { runInOrder } from '../apps/dependencies.js';
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
  // At once, so that a daemon that dies meanwhile leaves none to start again.
  for (const app of apps) app.stopped = true;
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

/**
 * What an earlier `kill` remembered counts until another one stops something.
 * @param {App[]} apps
 */
function remember(apps) {
  if (apps.every(({ stopped }) => stopped)) return;
  for (const app of apps) app.killed = !app.stopped;
}

/**
 * Every change was saved when its command ended; this one fails if the disk does not take another.
 * @type {Handler<'save'>}
 */
export async function saveAll({ table }) {
  await table.save();
  return { apps: table.all().map(({ name }) => name) };
}
