/** The values of a spec for what nobody has set. */
import { options } from '../options/table.js';
import { Place } from '../file/position.js';

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
  const origin = { locate: () => null, written: () => null, nameOf: String, problems: [] };
  return option.type.read(new Place(option.default, [], origin));
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
