/** The differences between two specs of one app, and the smallest action that applies them. */
import { specOptions } from './options/table.js';
import { maskSecret, maskSecrets } from '../shared/secrets.js';
import { OF_SESSION } from '../shared/shell-variables.js';

/** @import { Spec } from './spec.js' */

/** @typedef {{key: string, from: unknown, to: unknown}} Change values as a file would have them */

/** From the smallest to the largest; 'none' if nothing differs. */
const ORDER = /** @type {const} */ (['none', 'configure', 'scale', 'reload', 'restart']);

/** Variables of the session are not compared. @param {Spec} before @param {Spec} after */
export function compareSpecs(before, after) {
  const changes = differences(before, after).map(({ option, key, from, to }) => {
    const { write = (/** @type {unknown} */ value) => value } = option.type;
    const variable = option.key === 'env' ? key.slice(4) : null;
    const show = (/** @type {any} */ value) => {
      if (value === null || value === undefined) return null;
      return variable === null ? write(maskSecrets(value, key)) : maskSecret(variable, value);
    };
    return { key, from: show(from), to: show(to) };
  });
  return { needs: neededFor(before, after), changes };
}

/** @param {Record<string, any>} before also one of another version, or of a primary that lies @param {Spec} after */
export function neededFor(before, after) {
  const needs = differences(before, after).map(({ option }) => ORDER.indexOf(option.needs));
  return ORDER[Math.max(0, ...needs)];
}

/** @param {Record<string, any>} before @param {Record<string, any>} after */
function differences(before, after) {
  return specOptions.flatMap((option) => {
    const [from, to] = [before, after].map((spec) => valuesOf(option.key, option.spec, spec));
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    const changed = keys.filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]));
    return changed.map((key) => ({ option, key, from: from[key], to: to[key] }));
  });
}

/** Each variable that the program sees by itself, those of the file first. @param {string} key @param {string} specKey @param {Record<string, any>} spec */
function valuesOf(key, specKey, { [specKey]: value, resolvedFrom, shellEnv = {} }) {
  if (key !== 'env') return { [key]: value };
  const ofShell = Object.entries(shellEnv).filter(([name]) => !OF_SESSION.test(name));
  const set = { ...value, ...resolvedFrom?.env };
  const variables = Object.entries({ ...set, ...Object.fromEntries(ofShell), ...set });
  return Object.fromEntries(variables.map(([name, each]) => [`env.${name}`, each]));
}
