/** What holds where nothing is said. */
import { options } from './options.js';
import { Place } from './place.js';

/** @typedef {import('./options.js').Option} Option */

/**
 * @param {Option} option
 * @returns {unknown} its value, not as a file would have it but as it is used; undefined for none
 */
export function defaultOf(option) {
  if (option.default === null) return undefined;
  const origin = { locate: () => null, written: () => null, nameOf: String, problems: [] };
  return option.type.read(new Place(option.default, [], origin));
}

/**
 * A spec on the disk may be older than an option.
 * @param {import('./spec.js').Spec} spec
 * @returns {import('./spec.js').Spec} with every key
 */
export function completeSpec(spec) {
  const defaults = options.flatMap((option) =>
    option.spec === null ? [] : [[option.spec, defaultOf(option) ?? null]],
  );
  return { ...Object.fromEntries(defaults), ...spec };
}
