/** A spec → the settings of an ecosystem file that yield the same spec. */
import { extname } from 'node:path';
import { isNode, ownProgram } from '../shared/package/root.js';
import { NODE_EXTENSION } from './command/locate.js';
import { defaultOf, specOptions } from './options/table.js';

/** @import { Spec } from './spec.js' */

/**
 * By option key, in the order of the table, with absolute paths; without defaults and the shell's environment.
 * @param {Spec} spec @returns {Record<string, any>}
 */
export function settingsOf(spec) {
  const asked = { ...spec, ...askedFor(spec) };
  const pairs = specOptions.flatMap((option) => {
    const value = settingOf(option, asked);
    return value === undefined ? [] : [[option.key, value]];
  });
  return Object.fromEntries(pairs);
}

/** What was asked for, which leads to the same program again. @param {Spec} spec */
function askedFor({ resolvedFrom, script: command, modeReason, args: [flag, line, ...more] }) {
  const isLine = command === 'sh' && flag === '-c' && modeReason !== null;
  if (isLine) return { script: line, args: more };
  if (resolvedFrom === null) return {};
  const { script, args, nodeArgs, cwd } = resolvedFrom;
  return { script, args, nodeArgs, cwd };
}

/** What they are without a setting depends on the program's source. */
const BY_PROGRAM = ['exec_mode', 'scheduling'];

/** @param {typeof specOptions[number]} option @param {Spec} spec */
function settingOf(option, spec) {
  const { key, spec: specKey, type } = option;
  const value = /** @type {Record<string, any>} */ (spec)[specKey];
  if (BY_PROGRAM.includes(key) && spec.given[specKey] !== undefined) return value;
  if (key === 'interpreter') return interpreterOf(spec);
  if (key === 'exec_mode') return execModeOf(spec);
  const byDefault = defaultOf(option) ?? null;
  if (JSON.stringify(value) === JSON.stringify(byDefault)) return undefined;
  // Only what has a default and is switched off.
  if (value === null) return false;
  return type.write ? type.write(value) : value;
}

/** Undefined if the script alone selects the same one. @param {Spec} spec */
function interpreterOf({ script, interpreter, execMode, resolvedFrom, modeReason }) {
  if (resolvedFrom !== null || modeReason !== null) return undefined;
  if (interpreter !== null) return interpreter;
  const isUsual = NODE_EXTENSION.test(extname(script)) || ownProgram(script) !== null;
  if (execMode === 'cluster') return isUsual ? undefined : 'node';
  return script.includes('/') ? 'none' : undefined;
}

/** Undefined if the interpreter alone selects the same one. @param {Spec} spec */
function execModeOf({ script, interpreter, execMode, modeReason }) {
  if (modeReason !== null) return undefined;
  // A command would otherwise be resolved to the Node program behind it.
  const couldBeCluster = interpreter === null ? !script.includes('/') : isNode(interpreter);
  return couldBeCluster && execMode === 'fork' ? execMode : undefined;
}
