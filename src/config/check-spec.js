/** Checks a spec from elsewhere: a value is valid if its option's type reads the same value from what it writes. */
import { isDeepStrictEqual } from 'node:util';
import { NodeclusterError, attempt } from '../errors/error.js';
import { isObject } from '../shared/checks.js';
import { valuesWithoutOption } from './checks.js';
import { ConfigSource, ConfigValue } from './file/config-value.js';
import { completeSpec, specOptions } from './options/table.js';
import { shellEnvFor } from './resolve/environment.js';

/**
 * @import { Option } from './options/option.js'
 * @import { Specs } from '../protocol/methods.js'
 * @import { Spec } from './spec.js'
 */

/** Options without a default that no app can do without. */
const REQUIRED = ['name', 'script', 'cwd', 'exec_mode'];
const KEYS = [...specOptions.map(({ spec }) => spec), ...valuesWithoutOption.keys];

/**
 * Complete, without keys that this version does not know.
 * @param {unknown} value @returns {Spec} @throws {Error} `watch: expected a path, got 1`
 */
export function readSpec(value) {
  if (!isObject(value)) throw new Error('not a map');
  /** @type {Record<string, any>} */
  const whole = completeSpec(value);
  const fault = faultOf(whole);
  if (fault !== null) throw new Error(fault);
  const spec = Object.fromEntries(KEYS.map((key) => [key, whole[key]]));
  spec.shellEnv = shellEnvFor(spec.shellEnv, spec.uid);
  return /** @type {Spec} */ (spec);
}

/** They share the environment of the request, unless they have their own. @param {Specs} params */
export function readSpecs({ specs, shellEnv }) {
  return specs.map((spec) => checkSpec({ ...spec, shellEnv: spec.shellEnv ?? shellEnv }));
}

/** @param {unknown} given @returns {Spec} complete @throws {NodeclusterError} E_REQUEST_INVALID */
export function checkSpec(given) {
  try {
    return readSpec(given);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new NodeclusterError('E_REQUEST_INVALID', { what: `a spec is not valid (${message})` });
  }
}

/** @param {Record<string, any>} spec */
function faultOf(spec) {
  for (const option of specOptions) {
    const fault = optionFault(option, spec[option.spec]);
    if (fault !== null) return `${option.key}: ${fault}`;
  }
  const key = valuesWithoutOption(spec);
  return key === null ? null : `${key} is not valid`;
}

/** @param {Option} option @param {unknown} value as a spec has it */
function optionFault({ key, type, default: byDefault }, value) {
  if (value === null && byDefault === null && !REQUIRED.includes(key)) return null;
  const source = new ConfigSource();
  // A type may write only values that it has read, and too deep a nesting exceeds the stack.
  const isReadBack = attempt(() => {
    // As in settingsOf(): null means that something with a default is switched off.
    const written = value === null ? false : (type.write?.(value) ?? value);
    const read = type.read(new ConfigValue(written, [], source));
    return source.problems.length === 0 && isDeepStrictEqual(read, value);
  }, false);
  if (isReadBack) return null;
  new ConfigValue(value, [], source).reject(type.expected);
  return source.problems[0].text;
}
