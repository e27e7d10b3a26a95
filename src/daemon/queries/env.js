import { maskSecret } from '../../config/secrets.js';
import { resolveTargets } from '../control/targets.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Handler } from '../control/methods.js'
 */

/** @type {Handler<'env'>} */
export async function env(daemon, { selectors, showSecrets = false }) {
  const apps = resolveTargets(daemon, selectors).map(({ app }) => ({
    name: app.name,
    env: variablesOf(app.spec, showSecrets),
  }));
  return { apps };
}

/** @param {Spec} spec @param {boolean} showSecrets */
function variablesOf({ shellEnv, env, given }, showSecrets) {
  const entries = Object.entries({ ...shellEnv, ...env })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => {
      const from = Object.hasOwn(env, name) ? (given[`env.${name}`] ?? 'file') : 'shell';
      return [name, { value: showSecrets ? value : maskSecret(name, value), from }];
    });
  return Object.fromEntries(entries);
}
