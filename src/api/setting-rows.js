/** The settings of an app as in an ecosystem file, each with its source. */
import { specOptions } from '../config/options/table.js';

/**
 * @import { Option } from '../config/options/option.js'
 * @import { Description } from '../protocol/shapes.js'
 */

/** Shown at the top of a description, or by `env`. */
const shownElsewhere = new Set(['name', 'namespace', 'script', 'cwd', 'env']);

/**
 * @param {Description} app
 * @returns {[key: string, text: string, source: string][]} settings that the user made come first, then the defaults
 */
export function settingRows({ spec, workers }) {
  /** @type {Record<string, any>} */
  const values = spec;
  /** @type {[key: string, text: string, source: string][]} */
  const rows = specOptions
    .filter(({ key, spec: name }) => name in values && !shownElsewhere.has(key))
    .map((option) => {
      const text = valueText(option, values[option.spec]);
      // What a number that is relative to the cores, or to the load, amounts to: `max (4)`.
      const isRelative = option.key === 'instances' && !(Number(spec.instances) > 0);
      const count = isRelative ? ` (${workers.length})` : '';
      return [option.key, text + count, spec.given[option.spec] ?? 'default'];
    });
  const isDefault = (/** @type {string[]} */ [, , source]) => Number(source === 'default');
  return rows.filter(([, text]) => text).sort((a, b) => isDefault(a) - isDefault(b));
}

/** @param {Option} option @param {unknown} value @returns {string} empty if there is none */
function valueText({ type }, value) {
  if (value === null || value === undefined) return '';
  const written = type.write ? type.write(value) : value;
  if (Array.isArray(written)) return written.map((each) => JSON.stringify(each)).join(' ');
  if (typeof written !== 'object' || written === null) return String(written);
  const pairs = Object.entries(written).map((part) => part.join(': '));
  return pairs.join(', ');
}
