/** The process of the command line: its streams, its signals, its exit code. */
import { workingDirectory } from '../config/resolve/working-directory.js';
import { NodeclusterError } from '../errors/error.js';
import { makeContext } from './context.js';
import { readCommandLine } from './program.js';
import { renderError, renderErrorJson } from './render/error.js';
import { colourReset } from './render/mask.js';
import { wrapText } from './render/wrap.js';

/** @import { Context, World } from './context.js' */

const interruptedExitCode = 130;
const helpWidth = 100;

/**
 * @param {string[]} argv without node and the script
 * @returns {Promise<void>} sets the exit code of the process
 */
export async function main(argv) {
  const world = theWorld();
  const fail = (/** @type {unknown} */ thrown) => {
    const error = NodeclusterError.from(thrown);
    if (wantsJson(argv)) process.stderr.write(`${renderErrorJson(error)}\n`);
    else world.note(renderError(error, world.stderr));
    process.exitCode = error.exitCode;
  };
  watchStreams(fail);
  try {
    const exitCode = await execute(argv, world);
    process.exitCode ||= exitCode;
  } catch (thrown) {
    fail(thrown);
  }
}

/**
 * `nodecluster ls | head` closes the pipe when it has seen enough: no reason to complain.
 * @param {(error: NodeclusterError) => void} fail
 */
function watchStreams(fail) {
  process.stderr.on('error', () => {}); // nobody is left to be told
  process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ { code }) => {
    if (code !== 'EPIPE') fail(new NodeclusterError('E_OUTPUT', { reason: code }));
  });
}

/**
 * @param {string[]} argv
 * @param {World} world
 * @returns {Promise<number>} the exit code
 */
async function execute(argv, world) {
  const asked = await readCommandLine(argv, Math.min(helpWidth, world.stdout.width ?? helpWidth));
  if ('text' in asked) {
    world.print(wrapText(asked.text.trimEnd(), world.stdout.width));
    return 0;
  }
  const context = makeContext(asked, world);
  process.once('SIGINT', () => interrupt(context));
  try {
    return await asked.run(context);
  } finally {
    context.daemons.close();
  }
}

/** @returns {World} */
function theWorld() {
  const stderr = terminalOf(process.stderr);
  return {
    cwd: workingDirectory(),
    env: process.env,
    stdin: process.stdin,
    tty:
      process.stdin.isTTY && process.stdout.isTTY
        ? { input: process.stdin, output: process.stdout }
        : null,
    stdout: terminalOf(process.stdout),
    stderr,
    print: (text) => process.stdout.write(`${text}\n`),
    write: (text) =>
      new Promise((resolve) => process.stdout.write(text, (error) => resolve(!error))),
    note: (text) => process.stderr.write(`${wrapText(text, stderr.width)}\n`),
    apart,
  };
}

/**
 * An ecosystem file in JavaScript may print, and much that it loads does.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function apart(work) {
  const { stdout, stderr } = process;
  const { write } = stdout;
  stdout.write = stderr.write.bind(stderr);
  try {
    return await work();
  } finally {
    stdout.write = write;
  }
}

/** @param {NodeJS.WriteStream} stream */
function terminalOf({ isTTY, columns }) {
  const { NO_COLOR, TERM } = process.env;
  return {
    isTerminal: Boolean(isTTY),
    width: isTTY && columns > 0 ? columns : null,
    colours: Boolean(isTTY) && !NO_COLOR && TERM !== 'dumb',
  };
}

/** @param {Context} context */
function interrupt({ waiting, note, stdout }) {
  // The terminal may have thrown away the end of a line, and with it the end of its colours.
  if (stdout.colours) process.stdout.write(colourReset);
  if (waiting.goesOn) {
    note('\nInterrupted. What was asked for goes on; `nodecluster ls` shows how far it is.');
  }
  process.exit(interruptedExitCode);
}

/** @param {string[]} argv */
function wantsJson(argv) {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}
