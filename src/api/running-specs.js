/** The specs of apps that the daemon knows. */
/**
 * @import { Spec } from '../config/spec.js'
 * @import { DaemonClient } from '../protocol/methods.js'
 */

/**
 * @param {DaemonClient} client
 * @param {string[]} selectors of apps; of a worker, its app is meant
 * @returns {Promise<Spec[]>} complete, with secrets; `shellEnv` without the variables that `env`
 *   overrides
 */
export async function fetchSpecs(client, selectors) {
  const [{ apps: described }, { apps: environments }] = await Promise.all([
    client.request('describe', { selectors, showSecrets: true }),
    client.request('env', { selectors, showSecrets: true }),
  ]);
  return described.map(({ name, spec }) => {
    const { env = {} } = environments.find((each) => each.name === name) ?? {};
    const variables = Object.entries(env);
    const pick = (/** @type {boolean} */ isOfShell) =>
      Object.fromEntries(
        variables
          .filter(([, { from }]) => (from === 'shell') === isOfShell)
          .map(([variable, { value }]) => [variable, value]),
      );
    return { ...spec, env: pick(false), shellEnv: pick(true) };
  });
}
