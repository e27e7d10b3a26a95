/** The values of a spec for what nobody has set. */
import { options } from '../options/table.js';
import { ConfigValue, sourceWithoutFile } from '../file/config-value.js';

/**
 * @import { Option } from '../options/table.js'
 * @import { Spec } from '../spec.js'
 */

/**
 * @param {Option} option
 * @returns {any} as a spec has it; undefined when there is no default
 */
export function defaultOf(option) {
  if (option.default === null) return undefined;
  const source = sourceWithoutFile(String);
  return option.type.read(new ConfigValue(option.default, [], source));
}

/**
 * A spec that an older version wrote lacks the options that came later.
 * @param {Partial<Spec>} spec with all that has no default
 * @returns {Spec}
 */
export function completeSpec(spec) {
  const defaults = options
    .filter((option) => option.spec !== null && !(option.spec in spec))
    .map((option) => [option.spec, defaultOf(option) ?? null]);
  return { configFile: null, given: null, ...Object.fromEntries(defaults), ...spec };
}
