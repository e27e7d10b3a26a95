/** What the page shows of one app: `describe` and `env`, with secrets masked. */
import { NodeclusterError } from '../../errors/error.js';
import { settingRows } from '../../api/setting-rows.js';
import { askDaemon } from './daemon.js';
import { fetchDescriptions } from '../../api/selectors.js';
import { maskSecrets } from '../../shared/secrets.js';

/**
 * @import { Details } from './shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
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
    Promise.all([fetchDescriptions(client, selectors), client.request('env', { selectors })]),
  );
  // A name can also mean a namespace.
  const found = described.find((app) => app.name === name);
  if (!found) throw new NodeclusterError('E_APP_UNKNOWN', { selector: name, known: [] });
  const app = maskSecrets(found);
  const environment = environments.apps.find((each) => each.name === name)?.env ?? {};
  return {
    app,
    environment,
    settings: settingRows(app).map(([key, value, source]) => ({ key, value, source })),
  };
}
