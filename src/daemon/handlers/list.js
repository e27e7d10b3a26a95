import { machineMs } from '../../shared/monotonic.js';
import { VERSION } from '../../shared/version.js';
import { viewApp, workerPids } from '../app-view.js';

/** @type {import('./methods.js').Handler} */
export async function list(world) {
  const daemon = { pid: process.pid, version: VERSION };
  return { daemon, apps: await viewApps(world, world.table.all()) };
}

/**
 * @param {import('../world.js').World} world
 * @param {import('../app.js').App[]} apps
 */
export async function viewApps(world, apps) {
  const usages = await world.metrics.sample(apps.flatMap(workerPids));
  const nowMs = machineMs();
  return apps.map((app) => viewApp(app, usages, nowMs));
}
