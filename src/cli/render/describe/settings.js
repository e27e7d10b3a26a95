/** `describe`: the settings of an app as an ecosystem file would have them, and where each is from. */
import { defaultOf } from '../../../config/resolve/default-spec.js';
import { options } from '../../../config/options/table.js';
import { labelledLines } from '../table/labelled.js';
import { maskLine } from '../mask.js';
import { paint } from '../palette.js';

/**
 * @import { Option } from '../../../config/options/table.js'
 * @import { Spec } from '../../../config/spec.js'
 * @import { DescribedApp } from './app.js'
 * @import { Terminal } from '../palette.js'
 */

/** Shown among the facts, or by `env`. */
const shownElsewhere = new Set(['name', 'namespace', 'script', 'cwd', 'env']);

/**
 * @param {DescribedApp} app
 * @param {Terminal} terminal
 * @returns {string[]} what was set comes first, then the defaults
 */
export function settingLines({ spec }, terminal) {
  if (!spec) return [];
  const { bold, dim } = paint(terminal);
  const known = options.filter(
    (option) => option.spec !== null && option.spec in spec && !shownElsewhere.has(option.key),
  );
  const rows = known.map((option) => rowOf(option, spec)).filter(({ text }) => text);
  const set = rows.filter(({ source }) => source !== 'default');
  const rest = rows.filter(({ source }) => source === 'default');
  const shown = [...set, ...rest].map(
    ({ key, text, source }) => /** @type {[string, string, string]} */ ([key, text, source]),
  );
  if (shown.length === 0) return [];
  const from = spec.configFile ? dim(` of ${maskLine(spec.configFile)}`) : '';
  return ['', `${bold('Settings')}${from}`, ...labelledLines(shown, terminal)];
}

/**
 * @param {Option} option
 * @param {Spec} spec
 */
function rowOf(option, spec) {
  const text = valueText(option, spec[/** @type {keyof Spec} */ (option.spec)]);
  return { key: option.key, text, source: sourceOf(option, spec) };
}

/**
 * @param {Option} option
 * @param {Spec} spec
 */
function sourceOf(option, { given, ...values }) {
  const name = /** @type {keyof typeof values} */ (option.spec);
  if (given) return given[name] ?? 'default';
  // An app that an older version stored.
  const isDefault = JSON.stringify(values[name]) === JSON.stringify(defaultOf(option) ?? null);
  return isDefault ? 'default' : '';
}

/**
 * @param {Option} option
 * @param {unknown} value
 * @returns {string} empty where there is none
 */
function valueText({ type }, value) {
  if (value === null || value === undefined) return '';
  const written = type.write ? type.write(value) : value;
  if (Array.isArray(written)) return written.map((each) => JSON.stringify(each)).join(' ');
  if (typeof written !== 'object' || written === null) return String(written);
  return Object.entries(written)
    .map((part) => part.join(': '))
    .join(', ');
}
