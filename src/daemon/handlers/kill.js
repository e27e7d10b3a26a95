import { endApp } from '../actions/stop.js';

/** @type {import('./methods.js').Handler} */
export async function kill(world) {
  world.ending = true;
  const apps = world.table.all();
  try {
    const ended = await Promise.all(apps.map((app) => endApp(world, app)));
    return { apps: apps.filter((_app, index) => ended[index] !== null).map(({ name }) => name) };
  } finally {
    world.end();
  }
}
