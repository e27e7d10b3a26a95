/** Requests to the daemon, such as what the page of an app needs. */
import { askDaemon as ask } from '../../api/find-daemon.js';
import { NodeclusterError } from '../../errors/error.js';
import { settingRows } from '../../api/setting-rows.js';
import { fetchDescriptions } from '../../api/selectors.js';
import { describeTurning } from '../../api/turning.js';
import { maskSecrets } from '../../shared/secrets.js';

/**
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { Description } from '../../protocol/shapes.js'
 * @import { Details } from './shapes.js'
 */

export const ROLE = 'web';

/** @template T @param {HomePaths} paths @param {(client: DaemonClient) => Promise<T>} use */
export const askDaemon = (paths, use) => ask(paths, ROLE, use);

/**
 * `describe` and `env` of one app, with secrets masked, and `why` of its workers that are blocked, or wait.
 * @param {HomePaths} paths
 * @param {string} name
 * @returns {Promise<Details>}
 * @throws {NodeclusterError} E_APP_UNKNOWN, E_DAEMON_NOT_RUNNING
 */
export async function fetchDetails(paths, name) {
  const selectors = [name];
  const [found, environments] = await askDaemon(paths, (client) =>
    Promise.all([describeWithPlaces(client, name), client.request('env', { selectors })]),
  );
  const app = maskSecrets(found);
  const environment = environments.apps.find((each) => each.name === name)?.env ?? {};
  return {
    app,
    environment,
    settings: settingRows(app).map(([key, value, source]) => ({ key, value, source })),
  };
}

/** @param {DaemonClient} client @param {string} name @returns {Promise<Description>} */
async function describeWithPlaces(client, name) {
  const named = await fetchDescriptions(client, [name], { fields: ['usage'] });
  // A name can also mean a namespace.
  const app = named.find((each) => each.name === name);
  if (!app) throw new NodeclusterError('E_APP_UNKNOWN', { selector: name, known: [] });
  const stuck = app.workers.filter(
    ({ status, degraded }) => status === 'unresponsive' || degraded === 'waits',
  );
  if (stuck.length === 0) return app;
  const selectors = stuck.map(({ slot }) => `${name}:${slot}`);
  // Without it, the page says with which command to ask.
  const { apps } = await client.request('why', { selectors }).catch(() => ({ apps: [] }));
  const listed = await client.request('list', { fields: ['usage'] });
  const described = describeTurning(apps, listed.apps, Date.now());
  const stacks = new Map(
    described
      .flatMap(({ workers }) => workers)
      .map(({ slot, note, ...stack }) => [slot, { ...stack, note: note ?? undefined }]),
  );
  const workers = app.workers.map((worker) => ({
    ...worker,
    stack: stacks.get(worker.slot) ?? worker.stack,
  }));
  return { ...app, workers };
}
