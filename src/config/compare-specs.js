/** The differences between two specs of one app, and the smallest action that applies them. */
import { options } from './options/table.js';
import { maskSecret } from './secrets.js';

/**
 * @import { Needs, Option } from './options/option.js'
 * @import { Spec } from './spec.js'
 */

/** @typedef {{key: string, from: unknown, to: unknown}} Change values as a file would have them */

/** From the smallest to the largest; 'none' if nothing differs. */
const ORDER = /** @type {const} */ (['none', 'nothing', 'scale', 'reload', 'restart']);

/**
 * The environment of the shell is not compared: it changes only on request.
 * @param {Spec} before
 * @param {Spec} after
 * @returns {{needs: 'none'|Needs, changes: Change[]}}
 */
export function compareSpecs(before, after) {
  const found = options.map((option) => ({
    needs: ORDER.indexOf(option.needs),
    changes: compareOption(option, before, after),
  }));
  const changed = found.filter(({ changes }) => changes.length > 0);
  const largest = Math.max(0, ...changed.map(({ needs }) => needs));
  return { needs: ORDER[largest], changes: changed.flatMap(({ changes }) => changes) };
}

/**
 * @param {Option} option
 * @param {Record<string, any>} before
 * @param {Record<string, any>} after
 * @returns {Change[]}
 */
function compareOption({ key, spec, type }, before, after) {
  if (spec === null) return [];
  const [from, to] = [before[spec], after[spec]];
  if (key === 'env') return compareVariables(from, to);
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  const write = (/** @type {unknown} */ value) =>
    value === null || !type.write ? value : type.write(value);
  return [{ key, from: write(from), to: write(to) }];
}

/** @param {Record<string, string>} from @param {Record<string, string>} to @returns {Change[]} */
function compareVariables(from, to) {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const changed = names.filter((name) => from[name] !== to[name]);
  const masked = (/** @type {Record<string, string>} */ env, /** @type {string} */ name) =>
    Object.hasOwn(env, name) ? maskSecret(name, env[name]) : null;
  return changed.map((name) => ({
    key: `env.${name}`,
    from: masked(from, name),
    to: masked(to, name),
  }));
}
