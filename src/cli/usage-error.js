/** What is wrong with a command line, and what may have been meant. */
import { nearest } from '../config/spelling.js';
import { NodeclusterError } from '../errors/error.js';
import { pm2Answer } from './pm2-commands.js';
import { findCommand, commands } from './commands.js';

/** @import { CommanderError } from 'commander' */

/** Never suggested: a suggestion is copied, and these end apps or lose data. */
const DESTRUCTIVE = new Set(
  ['kill', 'delete', 'stop', 'flush', 'reset', 'restart', 'scale', 'signal'].flatMap((name) => [
    name,
    ...(findCommand(name)?.aliases ?? []),
  ]),
);

/**
 * @param {CommanderError} error
 * @param {readonly string[]} args the command line
 * @param {readonly {long?: string}[]} options of the command
 */
export function usageError({ code, message }, args, options) {
  const [word = '', ...words] = args;
  const [first, rest = ''] = message.replace(/^error: /, '').split('\n');
  const command = findCommand(word)?.name;
  const pm2 = command ? null : pm2Command(args);
  if (pm2) return new NodeclusterError('E_PM2_ONLY', pm2);
  const looksLikeProgram = code === 'commander.unknownCommand' && /[./]/.test(word);
  return new NodeclusterError('E_USAGE', {
    detail: `${first[0].toUpperCase()}${first.slice(1).replace(/\.$/, '')}`,
    command,
    advice: command && optionAdvice(command, first, words, options),
    suggestion: looksLikeProgram
      ? `\`nodecluster start ${word}\``
      : (flagOfFile(first, options) ?? suggestionIn(rest) ?? completionOf(first, options)),
    forProgram: code === 'commander.unknownOption' && command === 'start',
  });
}

/** @param {string} text commander's */
function suggestionIn(text) {
  const [, words = ''] = /Did you mean (?:one of )?(.*)\?/.exec(text) ?? [];
  return (
    words
      .split(', ')
      .filter((word) => !DESTRUCTIVE.has(word))
      .join(', ') || undefined
  );
}

/** `--log` for `log_file`. @param {string} message commander's @param {readonly {long?: string}[]} options */
function flagOfFile(message, options) {
  const option = unknownOption(message);
  return options.find(({ long }) => option === `${long}-file`)?.long;
}

/** @param {string} message commander's @param {readonly {long?: string}[]} options */
function completionOf(message, options) {
  const start = unknownOption(message);
  const names = options.map(({ long }) => long).filter((long) => long?.startsWith(`${start}-`));
  return names.join(', ') || undefined;
}

/**
 * Without this check, commander would show the main help for `help relod`.
 * @param {string} topic the word after `help`
 * @throws {NodeclusterError} E_PM2_ONLY, E_USAGE
 */
export function assertKnownTopic(topic) {
  if (topic.startsWith('-')) return;
  const topics = [...commands.flatMap(({ name, aliases }) => [name, ...aliases]), 'help'];
  if (topics.includes(topic)) return;
  const pm2 = pm2Command([topic]);
  if (pm2) throw new NodeclusterError('E_PM2_ONLY', pm2);
  throw new NodeclusterError('E_USAGE', {
    detail: `Unknown command '${topic}'`,
    suggestion: nearest(topic, topics) ?? undefined,
  });
}

/** @param {readonly string[]} args the command line */
function pm2Command(args) {
  const answer = pm2Answer(args);
  return answer && { word: args[0], advice: answer.text };
}

/** @param {string} message commander's */
function unknownOption(message) {
  return /^unknown option '([^'=]+)/.exec(message)?.[1];
}

/** @param {string} command @param {string} message of commander @param {string[]} args @param {readonly {long?: string}[]} options */
function optionAdvice(command, message, args, options) {
  const option = unknownOption(message);
  if (option === '--prune' || option === '--dry-run') {
    return `${option} belongs to apply: \`nodecluster apply ${args.join(' ')}\`.`;
  }
  if (command === 'start' && option === '--watch') {
    return '--watch takes no value; to watch certain paths, set `watch` in the ecosystem file.';
  }
  // commander does not know it with a value.
  return options.some(({ long }) => long === option) ? `${option} takes no value.` : undefined;
}
