import { maskSecret } from '../../config/secrets.js';
import { selected } from './selected.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Handler } from './methods.js'
 */

/** @type {Handler<'env'>} */
export function env(world, { selectors, showSecrets = false }) {
  return {
    apps: selected(world, selectors).map(({ app }) => ({
      name: app.name,
      env: Object.fromEntries(variables(app.spec, showSecrets)),
    })),
  };
}

/**
 * @param {Spec} spec
 * @param {boolean} showSecrets
 */
function variables(spec, showSecrets) {
  const all = { ...spec.shellEnv, ...spec.env };
  return Object.keys(all)
    .sort()
    .map((name) => {
      const value = showSecrets ? all[name] : maskSecret(name, all[name]);
      return [name, { value, from: sourceOf(name, spec) }];
    });
}

/**
 * @param {string} name
 * @param {Spec} spec
 */
function sourceOf(name, { env, given }) {
  return Object.hasOwn(env, name) ? (given?.[`env.${name}`] ?? 'file') : 'shell';
}
