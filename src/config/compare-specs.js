/** What differs between two specs of one app, and the smallest action that makes up for it. */
import { options } from './options/table.js';
import { maskSecret } from './secrets.js';

/**
 * @import { Needs } from './options/table.js'
 * @import { Spec } from './spec.js'
 */

/** @typedef {{key: string, from: unknown, to: unknown}} Change values as a file would have them */

/** From the smallest to the largest; 'none' says that nothing differs. */
const ORDER = /** @type {const} */ (['none', 'nothing', 'scale', 'reload', 'restart']);

/**
 * The environment of the shell is not compared: it changes only when it is asked to.
 * @param {Spec} old
 * @param {Spec} wanted
 * @returns {{needs: 'none'|Needs, changes: Change[]}}
 */
export function compareSpecs(old, wanted) {
  /** @type {(Change & {needs: Needs})[]} */
  const found = options.flatMap((option) => {
    const { key, needs } = option;
    if (option.spec === null) return [];
    const from = /** @type {any} */ (old)[option.spec];
    const to = /** @type {any} */ (wanted)[option.spec];
    if (key === 'env') return compareVariables(from, to).map((change) => ({ ...change, needs }));
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    const write = (/** @type {unknown} */ value) =>
      value === null ? null : option.type.write(value);
    return [{ key, from: write(from), to: write(to), needs }];
  });
  const largest = Math.max(0, ...found.map(({ needs }) => ORDER.indexOf(needs)));
  return { needs: ORDER[largest], changes: found.map(({ key, from, to }) => ({ key, from, to })) };
}

/**
 * @param {Record<string, string>} from
 * @param {Record<string, string>} to
 * @returns {Change[]}
 */
function compareVariables(from, to) {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const changed = names.filter((name) => from[name] !== to[name]);
  const shown = (/** @type {Record<string, string>} */ env, /** @type {string} */ name) =>
    Object.hasOwn(env, name) ? maskSecret(name, env[name]) : null;
  return changed.map((name) => ({
    key: `env.${name}`,
    from: shown(from, name),
    to: shown(to, name),
  }));
}
