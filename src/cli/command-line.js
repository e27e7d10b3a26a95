/** Reads the command line. The shortest ones need no parser, which takes longer to load than all else of `ls`. */
import { findVerb, verbs } from './verbs.js';

/**
 * @import { Invocation } from './program.js'
 * @import { CommandOption } from './verbs.js'
 */

/**
 * @param {string[]} argv without node and the script
 * @param {number} width of the terminal, for the help
 * @returns {Promise<Invocation | {text: string}>} text: a help page or the version
 * @throws {NodeclusterError} E_USAGE
 */
export async function readCommandLine(argv, width) {
  const invocation = await readBareCommand(argv);
  if (invocation) return invocation;
  const { parseCommandLine } = await import('./program.js');
  return parseCommandLine(argv, width);
}

/**
 * @param {string[]} argv
 * @returns {Promise<Invocation | null>} null: it is more than a command and long flags of it that take no value
 */
export async function readBareCommand([word, ...flags]) {
  const verb = findVerb(word);
  if (!verb || !flags.every((flag) => flag.startsWith('--'))) return null;
  const { command, run } = await verb.load();
  const given = flags.map((flag) => command.options.find((option) => isBareFlag(option, flag)));
  if (given.includes(undefined) || command.arguments.some(isRequired)) return null;
  const options = Object.fromEntries(flags.map((flag) => [camelCase(flag), true]));
  return { command: verb.name, run, words: [], options, programArgs: [], verbs, notes: [] };
}

/** @param {CommandOption} option @param {string} flag */
function isBareFlag({ flags }, flag) {
  return flags.split(', ').includes(flag) && !flag.startsWith('--no-');
}

/** @param {{name: string}} argument */
function isRequired({ name }) {
  return name.startsWith('<');
}

/** @param {string} flag */
function camelCase(flag) {
  return flag.slice(2).replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}
