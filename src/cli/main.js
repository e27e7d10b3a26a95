/** The process of the command line: its streams, its signals and its exit code, and what carries out a command. */
import { isatty } from 'node:tty';
import { workingDirectory } from '../shared/files/inspect-path.js';
import { NodeclusterError } from '../errors/error.js';
import { preloadEsPackages } from '../show/terminal/es-packages.js';
import { camelCase } from '../config/spelling.js';
import { commands, findCommand } from './commands.js';
import { makeContext } from './context.js';
import { colourReset, jsonText, escapeText } from '../show/escape.js';
import { truncate } from '../show/terminal/cells.js';
import { usesColours, wrapText, paint } from '../show/terminal/palette.js';

/**
 * @import { Context, ProcessIO } from './context.js'
 * @import { Terminal } from '../show/terminal/palette.js'
 *
 * @typedef {Pick<ProcessIO, 'becomeDaemon' | 'runApps'>} Foreground what this process can become
 */

const interruptedExitCode = 130;
const maxHelpWidth = 100;

/** @param {string[]} argv without node and the script @param {Foreground} foreground */
export async function main(argv, foreground) {
  await preloadEsPackages();
  const io = processIO(argv, foreground);
  const fail = (/** @type {unknown} */ thrown) => {
    const error = NodeclusterError.from(thrown);
    if (wantsJson(argv)) process.stderr.write(`${renderErrorJson(error)}\n`);
    else io.note(renderError(error, io.stderr));
    process.exitCode = error.exitCode;
  };
  watchStreams(fail);
  try {
    const exitCode = await execute(argv, io, (context) => {
      process.once('SIGINT', () => interrupt(context));
    });
    process.exitCode ||= exitCode;
  } catch (thrown) {
    fail(thrown);
  }
}

/** @param {string[]} argv @param {Foreground} foreground @returns {ProcessIO} */
function processIO(argv, foreground) {
  const { stdout } = process;
  const stderr = terminalOf(process.stderr, argv);
  let hasStatus = false;
  const clear = () => {
    if (hasStatus) process.stderr.write('\r\x1b[K');
    hasStatus = false;
  };
  return {
    cwd: workingDirectory(),
    env: process.env,
    stdin: whenRead(),
    tty: isatty(0) && stdout.isTTY ? { input: process.stdin, output: stdout } : null,
    stdout: terminalOf(stdout, argv),
    stderr,
    print(text) {
      clear();
      stdout.write(`${text}\n`);
    },
    write: (text) => new Promise((resolve) => stdout.write(text, (error) => resolve(!error))),
    note(text) {
      clear();
      process.stderr.write(`${wrapText(text, stderr.width)}\n`);
    },
    status(text) {
      if (stderr.width === null) return;
      clear();
      process.stderr.write(truncate(text, stderr.width - 1));
      hasStatus = true;
    },
    withStdoutOnStderr,
    ...foreground,
  };
}

/** Few commands read it, and opening it takes Node some milliseconds. */
async function* whenRead() {
  yield* process.stdin;
}

/** @param {NodeJS.WriteStream} stream @param {string[]} argv */
function terminalOf(stream, argv) {
  const isTerminal = Boolean(stream.isTTY);
  return {
    isTerminal,
    // Of a terminal whose size changes while the command runs.
    get width() {
      return isTerminal && stream.columns > 0 ? stream.columns : null;
    },
    height: isTerminal && stream.rows > 0 ? stream.rows : undefined,
    colours: usesColours({ isTerminal, env: process.env, argv }),
  };
}

/** @template T @param {() => Promise<T>} work */
async function withStdoutOnStderr(work) {
  const { stdout, stderr } = process;
  const { write } = stdout;
  stdout.write = stderr.write.bind(stderr);
  try {
    return await work();
  } finally {
    stdout.write = write;
  }
}

/** @param {(error: NodeclusterError) => void} fail */
function watchStreams(fail) {
  process.stderr.on('error', () => {}); // there is nowhere left to report it
  process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ { code }) => {
    // In `nodecluster ls | head`, head closes the pipe when it has enough lines.
    if (code !== 'EPIPE') fail(new NodeclusterError('E_OUTPUT', { reason: code }));
  });
}

/** @param {Context} context */
function interrupt({ daemonWork, note, stdout }) {
  // The terminal may have dropped the end of a line, and with it the code that ends its colours.
  if (stdout.colours) process.stdout.write(colourReset);
  if (daemonWork.isRunning) {
    note('\nInterrupted. The daemon continues the work; `nodecluster ls` shows its progress.');
  }
  process.exit(interruptedExitCode);
}

/** @param {string[]} argv */
function wantsJson(argv) {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** @param {NodeclusterError} error @param {Terminal} terminal */
export function renderError(error, terminal) {
  const { red, bold, dim } = paint(terminal);
  const message = `${red(bold('error:'))} ${escapeText(error.message)}`;
  const text = error.hint ? `${message}\n  ${escapeText(error.hint)}` : message;
  return `${text} ${dim(`[${error.code}]`)}`;
}

/** @param {NodeclusterError} error @returns {string} for `--json` */
export function renderErrorJson(error) {
  const { code, message, hint, exitCode, data } = error;
  return jsonText({ error: { code, message, hint, exitCode, data } });
}

/**
 * Carries out a command line in this process, which a test can do too, and returns the exit code.
 * @param {string[]} argv without node and the script
 * @param {ProcessIO} io
 * @param {(context: Context) => void} [onStart] before the command runs, but not before help is printed
 */
export async function execute(argv, io, onStart = () => {}) {
  const { width } = io.stdout;
  const helpWidth = Math.min(maxHelpWidth, width ?? maxHelpWidth);
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
  } finally {
    context.daemons.close();
  }
}

/** As parseCommandLine, which is loaded only if needed. @type {typeof import('./program.js').parseCommandLine} */
export async function readCommandLine(argv, width) {
  const invocation = await readBareCommand(argv);
  return invocation ?? (await import('./program.js')).parseCommandLine(argv, width);
}

/** Null: it is more than a command and long flags of it that take no value. @param {string[]} argv */
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
