/** `--node <binary>` (several allowed) and numbers by name, for the programs of this folder. */
import { parseArgs } from 'node:util';

/**
 * @param {Record<string, number>} numbers names of further options and what they are by default
 * @returns {{nodes: string[], numbers: Record<string, number>}}
 */
export function benchArguments(numbers = {}) {
  /** @type {import('node:util').ParseArgsConfig['options']} */
  const options = { node: { type: 'string', multiple: true, default: [process.execPath] } };
  for (const [name, value] of Object.entries(numbers)) {
    options[name] = { type: 'string', default: String(value) };
  }
  const { values } = parseArgs({ options });
  return {
    nodes: /** @type {string[]} */ (values.node),
    numbers: Object.fromEntries(Object.keys(numbers).map((name) => [name, Number(values[name])])),
  };
}
