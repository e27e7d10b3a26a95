/** The differences between two specs of one app, and the smallest action that applies them. */
import { specOptions } from './options/table.js';
import { maskSecret, maskSecrets } from '../shared/secrets.js';

/** @import { Spec } from './spec.js' */

/** @typedef {{key: string, from: unknown, to: unknown}} Change values as a file would have them */

/** From the smallest to the largest; 'none' if nothing differs. */
const ORDER = /** @type {const} */ (['none', 'configure', 'scale', 'reload', 'restart']);

/**
 * The environment of the shell is not compared: it changes only on request.
 * @param {Spec} before
 * @param {Spec} after
 */
export function compareSpecs(before, after) {
  const changed = changedOptions(before, after);
  const changes = changed.flatMap((option) => changesOf(option, before, after));
  return { needs: neededFor(before, after), changes };
}

/** @param {Record<string, any>} before also one of another version, or of a primary that lies @param {Spec} after */
export function neededFor(before, after) {
  const needs = changedOptions(before, after).map((option) => ORDER.indexOf(option.needs));
  return ORDER[Math.max(0, ...needs)];
}

/** @param {Record<string, any>} before @param {Record<string, any>} after */
function changedOptions(before, after) {
  return specOptions.filter(({ key, spec }) => {
    if (key === 'env') return changedNames(variablesOf(before), variablesOf(after)).length > 0;
    return JSON.stringify(before[spec]) !== JSON.stringify(after[spec]);
  });
}

/** @param {typeof specOptions[number]} option @param {Record<string, any>} before @param {Record<string, any>} after */
function changesOf({ key, spec, type }, before, after) {
  if (key === 'env') return compareVariables(variablesOf(before), variablesOf(after));
  const [from, to] = [before[spec], after[spec]];
  const { write: writeValue = (value) => value } = type;
  const write = (/** @type {unknown} */ value) =>
    value === null || value === undefined ? value : writeValue(maskSecrets(value, key));
  return [{ key, from: write(from), to: write(to) }];
}

/** @param {Record<string, any>} spec @returns {Record<string, string>} with those that a script of package.json sets */
function variablesOf({ env, resolvedFrom }) {
  return { ...env, ...resolvedFrom?.env };
}

/** @param {Record<string, string>} from @param {Record<string, string>} to @returns {Change[]} */
function compareVariables(from, to) {
  const masked = (/** @type {Record<string, string>} */ env, /** @type {string} */ name) =>
    Object.hasOwn(env, name) ? maskSecret(name, env[name]) : null;
  return changedNames(from, to).map((name) => ({
    key: `env.${name}`,
    from: masked(from, name),
    to: masked(to, name),
  }));
}

/** @param {Record<string, string>} from @param {Record<string, string>} to */
function changedNames(from, to) {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.filter((name) => from[name] !== to[name]);
}
