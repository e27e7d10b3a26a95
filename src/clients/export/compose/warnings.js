/** What Compose cannot say. */
import { serviceName } from './service.js';

/** @import { ExportedApp } from '../app.js' */

/** @type {((app: ExportedApp, options: Record<string, any>, names: string[]) => string | false)[]} */
const ROWS = [
  ({ spec }) =>
    serviceName(spec.name) !== spec.name &&
    `its service is called ${serviceName(spec.name)}, as Compose needs`,
  ({ environment: { secrets } }) =>
    secrets.length > 0 && `set ${secrets.join(', ')} in the shell or in the file .env`,
  ({ ports }, { replicas = 1 }) =>
    ports !== null &&
    replicas > 1 &&
    `--replicas ${replicas}: several containers cannot publish port ${ports.numbers[0]}, so none does`,
  ({ spec: { dependsOn } }, _options, names) => {
    const others = Object.keys(dependsOn).filter((name) => !names.includes(name));
    return others.length > 0 && `depends_on: ${others.join(', ')} is not in this file`;
  },
  ({ spec, times }) =>
    times !== null &&
    `${times.key}: Compose has no schedule, so it runs once; run \`docker compose up ${serviceName(spec.name)}\` from cron (${times.pattern})`,
  ({ spec }) =>
    spec.scheduling === 'sticky' &&
    'scheduling: sticky holds within a container; Compose balances without it between containers',
];

/**
 * @param {ExportedApp} app
 * @param {Record<string, any>} options of the command
 * @param {string[]} names of the exported apps
 * @returns {string[]}
 */
export function composeWarnings(app, options, names) {
  return ROWS.map((row) => row(app, options, names)).filter((text) => text !== false);
}
