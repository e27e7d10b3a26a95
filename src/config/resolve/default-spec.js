/** The defaults of a spec. */
import { ConfigValue, sourceWithoutFile } from '../file/config-value.js';
import { options } from '../options/table.js';

/**
 * @import { Option } from '../options/option.js'
 * @import { Spec } from '../spec.js'
 */

/**
 * @param {Option} option
 * @returns {any} as a spec has it; undefined if there is no default
 */
export function defaultOf(option) {
  if (option.default === null) return undefined;
  return option.type.read(new ConfigValue(option.default, [], sourceWithoutFile(String)));
}

/** Parts of a spec that no option sets. */
const WITHOUT_OPTION = {
  configFile: null,
  resolvedFrom: null,
  modeReason: null,
  given: {},
  onDemand: false,
};

/**
 * Adds options that are newer than the version that stored the spec.
 * @param {Partial<Spec>} spec with everything that has no default
 * @returns {Spec}
 */
export function completeSpec(spec) {
  const defaults = options
    .filter((option) => option.spec !== null && !(option.spec in spec))
    .map((option) => [option.spec, defaultOf(option) ?? null]);
  return { ...WITHOUT_OPTION, ...Object.fromEntries(defaults), ...spec };
}
