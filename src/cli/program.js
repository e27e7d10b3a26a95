/** The command line, read: which command, with which words and options. The only importer of commander. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { nearest } from '../config/nearest.js';
import { pm2FlagAdvice } from '../config/pm2.js';
import { NodeclusterError } from '../errors/error.js';
import { VERSION } from '../shared/version.js';
import { epilogue } from './epilogue.js';
import { pm2CommandAdvice } from './pm2-commands.js';
import { verbs } from './verbs.js';

/** @import { CommandModule, Verb } from './verbs.js' */

/**
 * @typedef {object} Invocation
 * @property {string} command
 * @property {CommandModule['run']} run
 * @property {string[]} words the arguments
 * @property {Record<string, any>} options only those that were given
 * @property {string[]} programArgs what came after `--` of `start`
 * @property {Verb[]} verbs all that there are
 */

/**
 * @param {string[]} argv without node and the script
 * @param {number} width of the terminal, for the help
 * @returns {Promise<Invocation | {text: string}>} text: a help page or the version
 * @throws {NodeclusterError} E_USAGE
 */
export async function readCommandLine(argv, width) {
  const { own, programArgs } = splitAtDoubleDash(argv);
  /** @type {{text: string, chosen: Omit<Invocation, 'programArgs' | 'verbs'> | null}} */
  const result = { text: '', chosen: null };
  const program = newProgram((text) => (result.text += text), width);
  for (const verb of neededVerbs(own[0])) {
    addCommand(program, verb.name, verb.aliases, await verb.load(), (chosen) => {
      result.chosen = chosen;
    });
  }
  refuseUnknownTopic(own);
  if (own.length === 0) return { text: program.helpInformation() + epilogue };
  try {
    await program.parseAsync(own, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(error, own);
  }
  return result.chosen ? { ...result.chosen, programArgs, verbs } : { text: result.text };
}

/**
 * What follows `--` is for the program that `start` runs. Everywhere else it is what it is by
 * convention: words that begin with a dash and are no options.
 * @param {string[]} argv
 */
function splitAtDoubleDash(argv) {
  const at = argv[0] === 'start' ? argv.indexOf('--') : -1;
  if (at === -1) return { own: argv, programArgs: [] };
  return { own: argv.slice(0, at), programArgs: argv.slice(at + 1) };
}

/** @param {string | undefined} word the first; what is no command needs the help of all */
function neededVerbs(word) {
  if (word === '-v' || word === '--version') return [];
  const verb = verbs.find(({ name, aliases }) => name === word || aliases.includes(word ?? ''));
  return verb ? [verb] : verbs;
}

/**
 * @param {(text: string) => void} write
 * @param {number} width
 */
function newProgram(write, width) {
  return new Command('nodecluster')
    .description('Runs Node servers on every core, and replaces them without losing a request.')
    .usage('<command> [arguments] [options]')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
    .exitOverride()
    .configureHelp({ minWidthToWrap: 1 })
    .configureOutput({
      writeOut: write,
      writeErr: () => {},
      getOutHelpWidth: () => width,
      getOutHasColors: () => false,
    })
    .addHelpText('after', epilogue);
}

/**
 * @param {Command} program
 * @param {string} name
 * @param {string[]} aliases
 * @param {CommandModule} module
 * @param {(chosen: Omit<Invocation, 'programArgs' | 'verbs'>) => void} choose
 */
function addCommand(program, name, aliases, { command: data, run }, choose) {
  const command = program.command(name).aliases(aliases).summary(data.summary);
  const title = `${data.summary[0].toUpperCase()}${data.summary.slice(1)}.`;
  command.description(data.details ? `${title}\n\n${data.details}` : title);
  command.allowExcessArguments(false);
  for (const each of data.arguments) command.argument(each.name, each.summary);
  for (const { flags, summary, parse, repeatable } of data.options) {
    const option = new Option(flags, summary);
    if (parse) option.argParser(refusing(parse));
    if (repeatable) option.argParser((text, before = []) => [...before, text]);
    command.addOption(option);
  }
  command.addHelpText(
    'after',
    `\nExamples:\n${data.examples.map((each) => `  ${each}`).join('\n')}`,
  );
  command.action(() => {
    const given = Object.entries(command.opts()).filter(
      ([key]) => command.getOptionValueSource(key) !== 'default',
    );
    choose({ command: name, run, words: [...command.args], options: Object.fromEntries(given) });
  });
}

/**
 * @param {(text: string) => unknown} parse
 * @returns {(text: string) => unknown} says the parser's reason in commander's way
 */
function refusing(parse) {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(/** @type {Error} */ (error).message);
    }
  };
}

/**
 * `help relod`: commander would show the help of all instead.
 * @param {string[]} own
 * @throws {NodeclusterError} E_USAGE
 */
function refuseUnknownTopic([first, topic]) {
  if (first !== 'help' || topic === undefined || topic.startsWith('-')) return;
  const known = [...verbs.flatMap(({ name, aliases }) => [name, ...aliases]), 'help'];
  if (known.includes(topic)) return;
  throw new NodeclusterError('E_USAGE', {
    detail: `unknown command '${topic}'`,
    advice: pm2CommandAdvice(topic),
    suggestion: nearest(topic, known) ?? undefined,
  });
}

/**
 * @param {CommanderError} error
 * @param {string[]} own
 */
function usageError({ code, message }, own) {
  const [first, rest = ''] = message.replace(/^error: /, '').split('\n');
  const verb = verbs.find(({ name, aliases }) => [name, ...aliases].includes(own[0]));
  const looksLikeProgram = code === 'commander.unknownCommand' && /[./]/.test(own[0]);
  return new NodeclusterError('E_USAGE', {
    detail: first.replace(/\.$/, ''),
    command: verb?.name,
    advice: verb ? adviceOnOption(verb.name, first) : pm2CommandAdvice(own[0]),
    suggestion: looksLikeProgram
      ? `\`nodecluster start ${own[0]}\``
      : /Did you mean (.*)\?/.exec(rest)?.[1].replace(/^one of /, ''),
    forProgram: code === 'commander.unknownOption' && verb?.name === 'start',
  });
}

/**
 * @param {string} command
 * @param {string} message of commander
 */
function adviceOnOption(command, message) {
  const option = /^unknown option '([^'=]+)/.exec(message)?.[1];
  if (option === undefined || command !== 'start') return undefined;
  if (option === '--watch') return '--watch is a switch; paths go into the ecosystem file (watch).';
  return pm2FlagAdvice(option);
}
