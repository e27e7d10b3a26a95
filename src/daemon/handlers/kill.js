import { endApp } from '../actions/stop.js';

/** @type {import('./methods.js').Handler} */
export async function kill(world) {
  world.ending = true;
  const apps = world.table.all();
  /** @type {Set<import('../app.js').App>} */
  const ended = new Set();
  const ends = apps.map(async (app) => {
    if ((await endApp(world, app)) !== null) ended.add(app);
  });
  try {
    await Promise.allSettled(ends);
    await Promise.all(ends);
    return { apps: apps.filter((app) => ended.has(app)).map(({ name }) => name) };
  } finally {
    world.end();
  }
}
