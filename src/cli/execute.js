/** Carries out a command line. The shortest ones need no parser, which takes longer to load than all else of `ls`. */
import { makeContext } from './context.js';
import { NodeclusterError } from '../errors/error.js';
import { wrapText } from '../show/terminal/palette.js';
import { camelCase } from '../config/spelling.js';
import { findCommand, commands } from './commands.js';

/**
 * @import { Context, ProcessIO } from './context.js'
 * @import { Invocation } from './program.js'
 */

/** Longer lines are hard to read. */
const maxHelpWidth = 100;

/**
 * Carries out a command line in this process, which a test can do too.
 * @param {string[]} argv without node and the script
 * @param {ProcessIO} io
 * @param {(context: Context) => void} [onStart] before the command runs, but not before help is printed
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} as the command does
 */
export async function execute(argv, io, onStart = () => {}) {
  const { width } = io.stdout;
  const helpWidth = width === null ? Infinity : Math.min(maxHelpWidth, width);
  const commandLine = await readCommandLine(argv, helpWidth);
  if ('text' in commandLine) {
    io.print(wrapText(commandLine.text.trimEnd(), width));
    return 0;
  }
  const context = await makeContext(commandLine, io);
  for (const note of commandLine.notes) context.note(`note: ${note}`);
  onStart(context);
  try {
    return await commandLine.run(context);
  } catch (thrown) {
    const { code, data } = NodeclusterError.from(thrown);
    // What checks the options does not know of which command they are.
    if (code !== 'E_FLAG_INVALID') throw thrown;
    throw new NodeclusterError(code, { command: commandLine.command, ...data });
  } finally {
    context.daemons.close();
  }
}

/**
 * @param {string[]} argv without node and the script
 * @param {number} width of the help
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
  const row = findCommand(word);
  if (!row || !flags.every((flag) => /^--(?!no-)/.test(flag))) return null;
  const { command, run } = await row.load();
  const bare = command.options.flatMap((option) => option.flags.split(', '));
  const isRequired = command.arguments.some(({ name }) => name.startsWith('<'));
  if (isRequired || !flags.every((flag) => bare.includes(flag))) return null;
  const options = Object.fromEntries(flags.map((flag) => [camelCase(flag.slice(2)), true]));
  return { command: row.name, run, words: [], options, programArgs: [], commands, notes: [] };
}
