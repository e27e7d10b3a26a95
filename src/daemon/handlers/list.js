import { machineMs } from '../../shared/monotonic.js';
import { VERSION } from '../../shared/version.js';
import { viewApp, workerPids } from '../apps/view.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { World } from '../control/world.js'
 * @import { AsyncHandler } from './methods.js'
 */

/** @type {AsyncHandler<'list'>} */
export async function list(world, { telemetry = false }) {
  const daemon = { pid: process.pid, version: VERSION };
  return { daemon, apps: await viewApps(world, world.table.all(), { telemetry }) };
}

/**
 * @param {World} world
 * @param {App[]} apps
 * @param {{telemetry?: boolean}} [options] whether the workers are asked what they measure
 */
export async function viewApps({ metrics, telemetry }, apps, options = {}) {
  const [usages, known] = await Promise.all([
    metrics.sample(apps.flatMap(workerPids)),
    options.telemetry === true ? telemetry.sample(apps) : null,
  ]);
  const nowMs = machineMs();
  return apps.map((app) => viewApp(app, { usages, telemetry: known }, nowMs));
}
