/** Specs that were written down before an option existed have its default. */
import { options } from '../config/options.js';
import { defaultOf } from '../config/resolve-app.js';

/** @typedef {import('./app.js').Spec} Spec */

/**
 * @param {Spec} spec
 * @returns {Spec}
 */
export function completeSpec(spec) {
  const defaults = options.flatMap((option) =>
    option.spec === null ? [] : [[option.spec, defaultOf(option) ?? null]],
  );
  return { ...Object.fromEntries(defaults), ...spec };
}
