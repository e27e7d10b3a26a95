/** What the page shows of one app: `describe` and `env`, with secrets masked. */
import { NodeclusterError } from '../../../errors/error.js';
import { askDaemon } from '../source.js';
import { maskSecrets } from './mask.js';

/**
 * @import { Details } from '../shapes.js'
 * @import { Source } from '../source.js'
 */

/**
 * @param {Source} source
 * @param {string} name
 * @returns {Promise<Details>}
 * @throws {NodeclusterError} E_APP_UNKNOWN, E_DAEMON_NOT_RUNNING
 */
export async function fetchDetails(source, name) {
  const selectors = [name];
  const [described, environments] = await askDaemon(source, (client) =>
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
  return { app, environment, settings: source.words.settings(app) };
}
