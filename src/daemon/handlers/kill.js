import { endApp } from '../actions/stop.js';

/** @type {import('./methods.js').Handler} */
export async function kill(world) {
  const apps = world.table.all();
  const names = apps.filter(({ link }) => link.state !== 'none').map(({ name }) => name);
  await Promise.all(apps.map((app) => endApp(world, app)));
  world.end();
  return { apps: names };
}
