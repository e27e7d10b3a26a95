/** What the page shows of one app: `describe` and `env`, with secrets masked. */
import { NodeclusterError } from '../../../errors/error.js';
import { settingRows } from '../../../cli/render/describe/settings.js';
import { askDaemon } from '../ask-daemon.js';
import { maskSecrets } from './mask.js';

/**
 * @import { Details } from '../shapes.js'
 * @import { HomePaths } from '../../../shared/home.js'
 */

/**
 * @param {HomePaths} paths
 * @param {string} name
 * @returns {Promise<Details>}
 * @throws {NodeclusterError} E_APP_UNKNOWN, E_DAEMON_NOT_RUNNING
 */
export async function fetchDetails(paths, name) {
  const selectors = [name];
  const [described, environments] = await askDaemon(paths, (client) =>
    Promise.all([
      client.request('describe', { selectors, telemetry: false }),
      client.request('env', { selectors }),
    ]),
  );
  // A name can also mean a namespace.
  const found = described.apps.find((app) => app.name === name);
  if (!found) throw new NodeclusterError('E_APP_UNKNOWN', { selector: name, known: [] });
  const app = maskSecrets(found);
  const environment = environments.apps.find((each) => each.name === name)?.env ?? {};
  return {
    app,
    environment,
    settings: settingRows(app).map(([key, value, source]) => ({ key, value, source })),
  };
}
