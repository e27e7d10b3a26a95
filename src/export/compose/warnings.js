/** What Compose cannot say. */
import { serviceName } from './service.js';

/** @import { ExportedApp } from '../app.js' */

/** @type {((app: ExportedApp, options: Record<string, any>) => string | false)[]} */
const ROWS = [
  ({ spec }) =>
    serviceName(spec.name) !== spec.name &&
    `its service is called ${serviceName(spec.name)}, as Compose needs`,
  ({ environment: { secrets } }) =>
    secrets.length > 0 && `set ${secrets.join(', ')} in the shell or in the file .env`,
  ({ port }, { replicas = 1 }) =>
    port !== null &&
    replicas > 1 &&
    `--replicas ${replicas}: several containers cannot publish port ${port.number}, so none does`,
  ({ spec, role }) =>
    role === 'cron' &&
    `cron_restart: Compose has no schedule, so it runs once; run \`docker compose up ${serviceName(spec.name)}\` from cron (${spec.cronRestart})`,
  ({ spec }) =>
    spec.scheduling === 'sticky' &&
    'scheduling: sticky holds within a container; Compose balances without it between containers',
];

/**
 * @param {ExportedApp} app
 * @param {Record<string, any>} options of the command
 * @returns {string[]}
 */
export function composeWarnings(app, options) {
  return ROWS.map((row) => row(app, options)).filter((text) => text !== false);
}
