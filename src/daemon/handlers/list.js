import { VERSION } from '../../shared/version.js';
import { viewApp, workerPids } from '../app-view.js';

/** @type {import('./methods.js').Handler} */
export async function list(world, { telemetry = false }) {
  const daemon = { pid: process.pid, version: VERSION };
  return { daemon, apps: await viewApps(world, world.table.all(), { telemetry }) };
}

/**
 * @param {import('../world.js').World} world
 * @param {import('../app.js').App[]} apps
 * @param {{telemetry?: boolean}} [options] whether the workers are asked what they measure
 */
export async function viewApps({ metrics, telemetry }, apps, options = {}) {
  const [usages, known] = await Promise.all([
    metrics.sample(apps.flatMap(workerPids)),
    options.telemetry === true ? telemetry.sample(apps) : null,
  ]);
  const now = Date.now();
  return apps.map((app) => viewApp(app, { usages, telemetry: known }, now));
}
