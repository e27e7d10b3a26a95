import { makeContext } from './context.js';
import { readCommandLine } from './command-line.js';
import { wrapText } from './render/wrap.js';

/** @import { Context, ProcessIO } from './context.js' */

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
  const commandLine = await readCommandLine(argv, Math.min(maxHelpWidth, width ?? maxHelpWidth));
  if ('text' in commandLine) {
    io.print(wrapText(commandLine.text.trimEnd(), width));
    return 0;
  }
  const context = await makeContext(commandLine, io);
  for (const note of commandLine.notes) context.note(`note: ${note}`);
  onStart(context);
  try {
    return await commandLine.run(context);
  } finally {
    context.daemons.close();
  }
}
