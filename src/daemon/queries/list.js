import { machineMs } from '../../shared/monotonic.js';
import { VERSION } from '../../shared/version.js';
import { viewApp, workerPids } from '../apps/view.js';
import { userNameOf } from '../../features/users/daemon/account.js';

/**
 * @import { App } from '../apps/app.js'
 * @import { Handler } from '../control/methods.js'
 * @import { Daemon } from '../daemon.js'
 */

/** @type {Handler<'list'>} */
export async function list(daemon, { telemetry = false }) {
  const apps = await viewApps(daemon, daemon.table.all(), telemetry);
  const { pid, version: node } = process;
  return { daemon: { pid, version: VERSION, node }, apps, notes: daemon.table.notes };
}

/**
 * @param {Daemon} daemon
 * @param {App[]} apps
 * @param {boolean} withTelemetry what the workers measure about themselves
 */
export async function viewApps({ metrics, telemetry, features }, apps, withTelemetry) {
  const [usages, known, users] = await Promise.all([
    metrics.sample(apps.flatMap(workerPids)),
    withTelemetry ? telemetry.sample(apps) : null,
    Promise.all(apps.map(({ spec }) => userNameOf(spec.uid))),
  ]);
  const nowMs = machineMs();
  return apps.map((app, index) => ({
    ...features.view(app, viewApp(app, { usages, telemetry: known }, nowMs)),
    user: users[index],
  }));
}
