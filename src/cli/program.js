/** Reads the command line: which command, with which arguments and options. The only importer of commander. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { nearest } from '../config/nearest.js';
import { pm2FlagAdvice } from '../config/pm2/keys.js';
import { NodeclusterError } from '../errors/error.js';
import { VERSION } from '../shared/version.js';
import { epilogue } from './epilogue.js';
import { pm2CommandAdvice } from './pm2-commands.js';
import { findVerb, verbs } from './verbs.js';

/** @import { CommandData, Run, Verb } from './verbs.js' */

/**
 * @typedef {object} Invocation
 * @property {string} command
 * @property {Run} run
 * @property {string[]} words the arguments
 * @property {Record<string, any>} options only those that were given
 * @property {string[]} programArgs the arguments after `--` of `start`
 * @property {Verb[]} verbs all commands
 */

/**
 * @param {string[]} argv without node and the script
 * @param {number} width of the terminal, for the help
 * @returns {Promise<Invocation | {text: string}>} text: a help page or the version
 * @throws {NodeclusterError} E_USAGE
 */
export async function readCommandLine(argv, width) {
  const { args, programArgs } = splitAtDoubleDash(argv);
  /** @type {{text: string, invocation: Invocation | null}} */
  const result = { text: '', invocation: null };
  const program = newProgram((text) => (result.text += text), width);
  for (const verb of verbsToLoad(args[0])) {
    const { command: data, run } = await verb.load();
    const command = addCommand(program, verb, data);
    command.action(() => {
      const [words, options] = [[...command.args], givenOptions(command)];
      result.invocation = { command: verb.name, run, words, options, programArgs, verbs };
    });
  }
  assertKnownTopic(args);
  if (args.length === 0) return { text: program.helpInformation() + epilogue };
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(error, args[0]);
  }
  return result.invocation ?? { text: result.text };
}

/**
 * For `start`, the arguments after `--` go to the program. For every other command `--` has its
 * usual meaning: the arguments after it may begin with a dash.
 * @param {string[]} argv
 */
function splitAtDoubleDash(argv) {
  const at = argv[0] === 'start' ? argv.indexOf('--') : -1;
  if (at === -1) return { args: argv, programArgs: [] };
  return { args: argv.slice(0, at), programArgs: argv.slice(at + 1) };
}

/** @param {string | undefined} word the first one; if it is not a command, the help lists them all */
function verbsToLoad(word = '') {
  if (word === '-v' || word === '--version') return [];
  const verb = findVerb(word);
  return verb ? [verb] : verbs;
}

/** @param {(text: string) => void} write @param {number} width */
function newProgram(write, width) {
  return new Command('nodecluster')
    .description('Runs Node.js servers on every core and replaces them without losing a request.')
    .usage('<command> [arguments] [options]')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
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

/** @param {Command} program @param {Verb} verb @param {CommandData} data */
function addCommand(program, { name, aliases }, data) {
  const title = `${data.summary[0].toUpperCase()}${data.summary.slice(1)}.`;
  const command = program
    .command(name)
    .aliases(aliases)
    .summary(data.summary)
    .description(data.details ? `${title}\n\n${data.details}` : title)
    .allowExcessArguments(false)
    .addHelpText('after', `\nExamples:\n${data.examples.map((each) => `  ${each}`).join('\n')}`);
  for (const each of data.arguments) command.argument(each.name, each.summary);
  for (const { flags, summary, parse, repeatable } of data.options) {
    const option = new Option(flags, summary);
    if (parse) option.argParser(withUsageError(parse));
    if (repeatable) option.argParser((text, before = []) => [...before, text]);
    command.addOption(option);
  }
  return command;
}

/**
 * @param {(text: string) => unknown} parse
 * @returns {(text: string) => unknown} a parser whose error commander reports with the option's name
 */
function withUsageError(parse) {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(/** @type {Error} */ (error).message);
    }
  };
}

/** @param {Command} command */
function givenOptions(command) {
  const given = Object.entries(command.opts()).filter(
    ([key]) => command.getOptionValueSource(key) !== 'default',
  );
  return Object.fromEntries(given);
}

/**
 * Without this check, commander would show the main help for `help relod`.
 * @param {string[]} args
 * @throws {NodeclusterError} E_USAGE
 */
function assertKnownTopic([first, topic]) {
  if (first !== 'help' || topic === undefined || topic.startsWith('-')) return;
  const topics = [...verbs.flatMap(({ name, aliases }) => [name, ...aliases]), 'help'];
  if (topics.includes(topic)) return;
  throw new NodeclusterError('E_USAGE', {
    detail: `unknown command '${topic}'`,
    advice: pm2CommandAdvice(topic),
    suggestion: nearest(topic, topics) ?? undefined,
  });
}

/**
 * @param {CommanderError} error
 * @param {string} word the first one on the command line
 */
function usageError({ code, message }, word) {
  const [first, rest = ''] = message.replace(/^error: /, '').split('\n');
  const command = findVerb(word)?.name;
  const looksLikeProgram = code === 'commander.unknownCommand' && /[./]/.test(word);
  return new NodeclusterError('E_USAGE', {
    detail: first.replace(/\.$/, ''),
    command,
    advice: command ? optionAdvice(command, first) : pm2CommandAdvice(word),
    suggestion: looksLikeProgram
      ? `\`nodecluster start ${word}\``
      : /Did you mean (.*)\?/.exec(rest)?.[1].replace(/^one of /, ''),
    forProgram: code === 'commander.unknownOption' && command === 'start',
  });
}

/**
 * @param {string} command
 * @param {string} message commander's
 */
function optionAdvice(command, message) {
  const option = /^unknown option '([^'=]+)/.exec(message)?.[1];
  if (option === undefined || command !== 'start') return undefined;
  if (option === '--watch') {
    return '--watch takes no value; to watch certain paths, set `watch` in the ecosystem file.';
  }
  return pm2FlagAdvice(option);
}
