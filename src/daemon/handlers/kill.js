import { endApp } from '../actions/stop.js';

/** @type {import('./methods.js').Handler} */
export async function kill(world) {
  world.ending = true;
  const apps = world.table.all();
  const names = apps.filter(({ link }) => link.state !== 'none').map(({ name }) => name);
  try {
    await Promise.all(apps.map((app) => endApp(world, app)));
  } finally {
    world.end();
  }
  return { apps: names };
}
