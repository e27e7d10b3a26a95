/** Arguments of the benchmarks: `--node <binary>` (repeatable), numbers, strings and flags by name. */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/** @import { ParseArgsConfig } from 'node:util' */

/**
 * @param {Record<string, number>} numbers names of further options and what they are by default
 * @param {Record<string, string>} strings the same
 * @param {string[]} flags names of options without a value
 * @returns {{nodes: string[], numbers: Record<string, number>, strings: Record<string, string>,
 *   flags: Record<string, boolean>}}
 */
export function benchArguments(numbers = {}, strings = {}, flags = []) {
  /** @type {ParseArgsConfig['options']} */
  const options = { node: { type: 'string', multiple: true, default: [process.execPath] } };
  for (const [name, value] of Object.entries({ ...numbers, ...strings })) {
    options[name] = { type: 'string', default: String(value) };
  }
  for (const name of flags) options[name] = { type: 'boolean' };
  const { values } = parseArgs({ options });
  return {
    nodes: /** @type {string[]} */ (values.node),
    numbers: Object.fromEntries(Object.keys(numbers).map((name) => [name, Number(values[name])])),
    strings: Object.fromEntries(Object.keys(strings).map((name) => [name, String(values[name])])),
    flags: Object.fromEntries(flags.map((name) => [name, Boolean(values[name])])),
  };
}

/** @param {string} node path of a Node binary @returns {string} its version */
export function versionOf(node) {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
}
