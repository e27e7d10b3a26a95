/** Reads any command line: which command, with which arguments and options. The only importer of commander. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { NodeclusterError } from '../errors/error.js';
import { VERSION } from '../shared/version.js';
import { expandHome, pathFault } from '../shared/files/written-path.js';
import { commandFirst, pm2FlagsOf, readPm2Flags } from './pm2-flags.js';
import { findCommand, commands, firstCommands, pm2Answer } from './commands.js';
import { exitCodes } from '../errors/exit-codes.js';

/**
 * @import { Pm2Flag } from './pm2-flags.js'
 * @import { CommandData, CommandOption, CommandRow, Run } from './command.js'
 *
 * @typedef {object} Invocation
 * @property {string} command
 * @property {Run} run
 * @property {string[]} words the arguments
 * @property {Record<string, any>} options only those that were given
 * @property {string[]} programArgs the arguments after `--` of `start`, `run`, `reload` and `restart`
 * @property {CommandRow[]} commands all commands
 * @property {string[]} notes about options that have no effect here
 */

/**
 * @param {string[]} argv without node and the script
 * @param {number} width of the terminal, for the help
 * @returns {Promise<Invocation | {text: string}>} text: a help page or the version
 */
export async function parseCommandLine(argv, width) {
  const { args, programArgs } = splitAtDoubleDash(commandFirst(argv));
  /** @type {{text: string, invocation: Invocation | null}} */
  const result = { text: '', invocation: null };
  const { helpArgs, showsAll } = readHelpRequest(args);
  const known = findCommand(helpArgs[0]);
  const answer = known ? null : await pm2Answer(helpArgs);
  if (answer?.isDone) return { text: answer.text };
  if (answer) throw new NodeclusterError('E_PM2_ONLY', { word: helpArgs[0], advice: answer.text });
  const isMain = !showsAll && args.every((arg) => ['help', '-h', '--help'].includes(arg));
  const { rows, epilogue } = scopeOf(known, isMain);
  const program = newProgram((text) => (result.text += text), width).addHelpText('after', epilogue);
  if (isMain) program.helpCommand(false);
  for (const row of rows) {
    const { command: data, run } = await row.load();
    const { command, pm2Options } = addCommand(program, row, data, showsAll);
    command.action(() => {
      const given = readGiven(command, pm2Options);
      result.invocation = { command: row.name, run, programArgs, commands, ...given };
    });
  }
  if (isMain) return { text: program.helpInformation() + epilogue };
  await parse(program, helpArgs);
  return result.invocation ?? { text: result.text };
}

/** The commands that are read, and the end of their help. @param {CommandRow | undefined} known @param {boolean} isMain */
function scopeOf(known, isMain) {
  if (known) return { rows: [known], epilogue: '' };
  if (isMain) return { rows: firstCommands, epilogue: MORE };
  return { rows: commands, epilogue: EPILOGUE };
}

/** @param {Command} program @param {string[]} args */
async function parse(program, [word, ...rest]) {
  try {
    // PM2's commands are also typed in lower case.
    await program.parseAsync([findCommand(word)?.name ?? word, ...rest], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    throw usageError(error, word);
  }
}

/** What is wrong with a command line, and what may have been meant. @param {CommanderError} error @param {string} word */
function usageError({ code, message }, word) {
  const [first, rest = ''] = message.replace(/^error: /, '').split('\n');
  const command = findCommand(word)?.name;
  const looksLikeProgram = code === 'commander.unknownCommand' && /[./]/.test(word);
  const [, similar] = /Did you mean (?:one of )?(.*)\?/.exec(rest) ?? [];
  return new NodeclusterError('E_USAGE', {
    detail: `${first[0].toUpperCase()}${first.slice(1).replace(/\.$/, '')}`,
    command,
    suggestion: looksLikeProgram ? `\`nodecluster start ${word}\`` : similar,
    forProgram: code === 'commander.unknownOption' && command === 'start',
  });
}

/** Of other commands `--` has its usual meaning: what follows may begin with a dash. @param {string[]} argv */
function splitAtDoubleDash(argv) {
  const command = findCommand(argv[0])?.name ?? '';
  const at = ['start', 'run', 'reload', 'restart'].includes(command) ? argv.indexOf('--') : -1;
  if (at === -1) return { args: argv, programArgs: [] };
  return { args: argv.slice(0, at), programArgs: argv.slice(at + 1) };
}

/** `--all` beside `--help` asks for the rare options too. @param {string[]} args */
function readHelpRequest(args) {
  const asksHelp = args[0] === 'help' || args.includes('--help') || args.includes('-h');
  const showsAll = asksHelp && args.includes('--all');
  const [, topic = '-'] = args;
  // commander has no page for `help`, and would show the main help for `help relod`.
  if (args[0] === 'help' && !topic.startsWith('-') && !findCommand(topic)) {
    return { showsAll, helpArgs: [topic] };
  }
  return { showsAll, helpArgs: showsAll ? args.filter((arg) => arg !== '--all') : args };
}

/** @param {(text: string) => void} write @param {number} width */
function newProgram(write, width) {
  return new Command('nodecluster')
    .description(mainHelp.does)
    .usage('<command> [arguments] [options]')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .commandsGroup('Look:')
    .helpCommand('help [command]', 'show help for a command, or with --all every command')
    .exitOverride()
    .configureHelp({
      minWidthToWrap: 1,
      // Without the aliases, which follow the examples.
      subcommandTerm: (each) =>
        `${each.name()} ${each.usage().replace('[options]', '').trim()}`.trim(),
      commandUsage: (each) =>
        [each.parent?.name(), each.name(), each.usage()].filter(Boolean).join(' '),
    })
    .configureOutput({
      writeOut: write,
      writeErr: () => {},
      getOutHelpWidth: () => width,
      getOutHasColors: () => false,
    });
}

/** @param {Command} program @param {CommandRow} row @param {CommandData} data @param {boolean} showsAll */
function addCommand(program, { name, aliases, heading }, data, showsAll) {
  const title = `${data.summary[0].toUpperCase()}${data.summary.slice(1)}.`;
  const command = program
    .command(name)
    .aliases(aliases)
    .helpGroup(heading)
    .summary(data.summary)
    .description(data.details ? `${title}\n\n${data.details}` : title)
    .allowExcessArguments(false)
    .addHelpText('after', endOfHelp({ name, aliases }, data, showsAll));
  for (const each of data.arguments) command.argument(each.name, each.summary);
  for (const each of data.options) command.addOption(newOption(each, showsAll));
  const own = data.options.flatMap(({ flags }) => flags.split(/[ ,]+/));
  const foreign = [...pm2FlagsOf(name), ...data.options.flatMap(pm2FlagsFor)]
    .map((flag) => ({ flag, option: new Option(flag.flags).hideHelp() }))
    .filter(({ option }) => !own.includes(option.long ?? ''));
  for (const { option } of foreign) command.addOption(option);
  return { command, pm2Options: foreign };
}

/** @param {CommandOption} option @returns {Pm2Flag[]} */
function pm2FlagsFor({ flags: own, pm2 = [] }) {
  return pm2.flatMap(({ flags, value, note, advice }) => {
    if (flags === undefined) return [];
    if (note ?? advice) return { flags, note, advice };
    return { flags, value, means: new Option(own).attributeName() };
  });
}

/** @param {CommandOption} data @param {boolean} showsAll */
function newOption({ flags, summary, brief, parse, repeatable, heading, isRare }, showsAll) {
  const option = new Option(flags, showsAll ? summary : (brief ?? summary));
  if (heading) option.helpGroup(heading);
  if (isRare && !showsAll) option.hideHelp();
  const read = parse ?? (/<(?:file|directory)>/.test(flags) ? parsePath : null);
  if (read) {
    option.argParser((text) => {
      try {
        return read(text);
      } catch (error) {
        // commander reports this error with the option's name.
        throw new InvalidArgumentError(/** @type {Error} */ (error).message);
      }
    });
  }
  if (repeatable) option.argParser((text, before = []) => [...before, text]);
  return option;
}

/** @param {Pick<CommandRow, 'name' | 'aliases'>} row @param {CommandData} data @param {boolean} showsAll */
function endOfHelp({ name, aliases }, { examples, options }, showsAll) {
  const lines = ['', 'Examples:', ...examples.map((each) => `  ${each}`)];
  if (aliases.length > 0) lines.push('', `Other names: ${aliases.join(', ')}`);
  if (!showsAll && options.some(({ isRare }) => isRare)) {
    lines.push('', `More options: nodecluster ${name} --help --all`);
  }
  return lines.join('\n');
}

/** A shell expands `~` in --output ~/a, but not in --output=~/a. @param {string} text */
function parsePath(text) {
  const fault = pathFault(text);
  if (fault !== null) throw new RangeError(fault);
  return expandHome(text);
}

/** @param {Command} command @param {{flag: Pm2Flag, option: Option}[]} pm2Options */
function readGiven(command, pm2Options) {
  const all = Object.entries(command.opts());
  const given = all.filter(([key]) => command.getOptionValueSource(key) !== 'default');
  const own = Object.fromEntries(given);
  if (own.since > own.until) {
    const advice = 'The earlier time comes first: `--since 3h --until 2h`.';
    throw new NodeclusterError('E_USAGE', { detail: '--since is later than --until', advice });
  }
  const foreign = pm2Options.flatMap(({ flag, option }) => {
    const key = option.attributeName();
    if (!(key in own) || option.negate !== (own[key] === false)) return [];
    const value = own[key];
    delete own[key];
    return { flag, value };
  });
  const { words, options, notes } = readPm2Flags(foreign);
  return { words: [...command.args, ...words], options: { ...own, ...options }, notes };
}

/** @type {[keyof typeof exitCodes, string][]} */
const MEANINGS = [
  ['ok', 'done'],
  ['internal', 'a bug in nodecluster'],
  ['usage', 'the command line is wrong'],
  ['badFile', 'an ecosystem file is missing or has an error; nothing was changed'],
  ['notFound', 'an app, worker or program that was named does not exist or cannot run'],
  ['appFailed', 'an app, or a part of it, did not reach the desired state'],
  ['refused', 'refused in the current state: it already exists, or is busy'],
  ['environment', 'the environment: permissions, disk, home directory'],
  ['connection', 'the daemon, or a primary, cannot be reached'],
];
const INTERRUPTED =
  'interrupted with Ctrl-C; what the command started continues (`run` and `monit` end with 0)';

/** What the main help and nodecluster(1) say beside the commands. */
export const mainHelp = {
  does: 'Runs Node.js servers on every core and replaces them without losing a request.',
  home: "where apps, logs and the daemon's socket are kept (default: ~/.nodecluster)",
  examples: [
    'nodecluster start app.js --name api -i max   run one worker per core',
    'nodecluster reload api                       deploy new code without losing a request',
    'nodecluster init --from-running              write its settings to ecosystem.yml',
    'nodecluster reload ecosystem.yml             deploy, with the changed settings of the file',
    'nodecluster <command> --help                 show its options and examples',
  ],
  exitCodes: [
    ...MEANINGS.map(([name, meaning]) => ({ code: exitCodes[name], meaning })),
    { code: 130, meaning: INTERRUPTED },
  ],
};

const MORE = `
Example: nodecluster start app.js -i max
Also why, apply, restart, events, web, startup and more: nodecluster help --all
`;

/** The end of the help of all commands: first steps and exit codes. */
export const EPILOGUE = `
Examples:
${mainHelp.examples.map((each) => `  ${each}`).join('\n')}

NODECLUSTER_HOME is ${mainHelp.home}.

Exit codes:
${mainHelp.exitCodes.map(({ code, meaning }) => `  ${code}  ${meaning}`).join('\n')}
`;
