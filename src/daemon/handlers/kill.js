import { setTimeout as sleep } from 'node:timers/promises';
import { endApp } from '../actions/stop.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { AsyncHandler } from './methods.js'
 */

/** What other commands may take to answer when their app has ended. */
const ANSWERS_MS = 2000;

/** @type {AsyncHandler<'kill'>} */
export async function kill(world) {
  world.ending = true;
  const apps = world.table.all();
  /** @type {Set<App>} */
  const ended = new Set();
  const ends = apps.map(async (app) => {
    if ((await endApp(world, app)) !== null) ended.add(app);
  });
  try {
    await Promise.allSettled(ends);
    // Whoever waits for another command hears first what became of it.
    await Promise.race([Promise.all(apps.map(({ lane }) => lane.settled)), sleep(ANSWERS_MS)]);
    await Promise.all(ends);
    return { apps: apps.filter((app) => ended.has(app)).map(({ name }) => name) };
  } finally {
    world.end();
  }
}
