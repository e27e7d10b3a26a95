/** What is wrong with a command line, and what may have been meant. */
import { nearest } from '../config/nearest.js';
import { pm2FlagAdvice } from '../config/pm2/keys.js';
import { NodeclusterError } from '../errors/error.js';
import { pm2Answer } from './pm2/commands.js';
import { findVerb, verbs } from './verbs.js';

/** @import { CommanderError } from 'commander' */

/** Never suggested: a suggestion is copied, and these end apps or lose data. */
const DESTRUCTIVE = new Set(
  ['kill', 'delete', 'stop', 'flush', 'reset', 'restart', 'scale', 'signal'].flatMap(wordsOf),
);

const UNKNOWN_OPTION = /^unknown option '([^'=]+)/;

/** @param {string} name */
function wordsOf(name) {
  return [name, ...(findVerb(name)?.aliases ?? [])];
}

/**
 * @param {CommanderError} error
 * @param {readonly string[]} args the command line
 * @param {readonly {long?: string}[]} options of the command
 */
export function usageError({ code, message }, args, options) {
  const [word = '', ...words] = args;
  const [first, rest = ''] = message.replace(/^error: /, '').split('\n');
  const command = findVerb(word)?.name;
  const looksLikeProgram = code === 'commander.unknownCommand' && /[./]/.test(word);
  return new NodeclusterError('E_USAGE', {
    detail: first.replace(/\.$/, ''),
    command,
    advice: command ? optionAdvice(command, first, words) : pm2Answer(args)?.text,
    suggestion: looksLikeProgram
      ? `\`nodecluster start ${word}\``
      : (suggestionIn(rest) ?? completionOf(first, options)),
    forProgram: code === 'commander.unknownOption' && command === 'start',
  });
}

/** @param {string} text commander's */
function suggestionIn(text) {
  const words =
    /Did you mean (.*)\?/
      .exec(text)?.[1]
      .replace(/^one of /, '')
      .split(', ') ?? [];
  return words.filter((word) => !DESTRUCTIVE.has(word)).join(', ') || undefined;
}

/**
 * @param {string} message commander's
 * @param {readonly {long?: string}[]} options
 */
function completionOf(message, options) {
  const [, start] = UNKNOWN_OPTION.exec(message) ?? [];
  const names = options.map(({ long }) => long).filter((long) => long?.startsWith(`${start}-`));
  return names.join(', ') || undefined;
}

/**
 * Without this check, commander would show the main help for `help relod`.
 * @param {string} topic the word after `help`
 * @throws {NodeclusterError} E_USAGE
 */
export function assertKnownTopic(topic) {
  if (topic.startsWith('-')) return;
  const topics = [...verbs.flatMap(({ name, aliases }) => [name, ...aliases]), 'help'];
  if (topics.includes(topic)) return;
  throw new NodeclusterError('E_USAGE', {
    detail: `unknown command '${topic}'`,
    advice: pm2Answer([topic])?.text,
    suggestion: nearest(topic, topics) ?? undefined,
  });
}

/**
 * @param {string} command
 * @param {string} message commander's
 * @param {string[]} args of the command
 */
function optionAdvice(command, message, args) {
  const option = UNKNOWN_OPTION.exec(message)?.[1];
  if (option === '--prune' || option === '--dry-run') {
    return `${option} belongs to apply: \`nodecluster apply ${args.join(' ')}\`.`;
  }
  if (option === undefined || command !== 'start') return undefined;
  if (option === '--watch') {
    return '--watch takes no value; to watch certain paths, set `watch` in the ecosystem file.';
  }
  return pm2FlagAdvice(option);
}
