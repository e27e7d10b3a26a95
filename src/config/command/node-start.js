/**
 * How Node is started: by the first line of a script, by a shell script that stands in node_modules/.bin, by the words
 * after `node`, and by a script that is written with its arguments: `server.js --port 80`, `node -r x server.js`.
 */
import { basename, dirname, extname, join } from 'node:path';
import { NODE_EXTENSION } from './locate.js';
import { readPlainCommand, splitWords } from './shell-words.js';

const BASE_DIRECTORY = /^basedir=\$\(dirname /m;
const EXEC_NODE = /^\s*exec node((?:\s+-[\w=./-]+)*)\s+"\$basedir\/([^"$`\\]+)"\s+"\$@"\s*$/m;
const NODE_PATH = /export NODE_PATH="([^"$`\\]+)"/;

/**
 * @param {string} text the start of a file
 * @returns {string[] | null} the command of its first line and the arguments that come before the
 *   file: `['node', '--flag']` of `#!/usr/bin/env -S node --flag`; null: it has none
 */
export function readShebang(text) {
  const [, line] = /^#!(.*)/.exec(text) ?? [];
  const words = line === undefined ? null : splitWords(line.trim());
  if (!words || words.length === 0) return null;
  const [command, ...args] = words;
  if (!/(^|\/)env$/.test(command)) return [basename(command), ...args];
  // Without -S the kernel passes everything after `env` as one word.
  const named = args[0] === '-S' || args[0] === '--split-string' ? args.slice(1) : args;
  return named.length > 0 ? named : null;
}

/**
 * pnpm, and npm on other systems, link no programs into node_modules/.bin: they write shell scripts there.
 * @param {string} text of the file
 * @param {string} path of the file
 * @returns {{words: string[], env: Record<string, string>} | null} how it starts Node; null: it is
 *   another script
 */
export function readShim(text, path) {
  if (!text.startsWith('#!/bin/sh') || !BASE_DIRECTORY.test(text)) return null;
  const [, options, target] = EXEC_NODE.exec(text) ?? [];
  if (target === undefined) return null;
  const [, nodePath] = NODE_PATH.exec(text) ?? [];
  const words = ['node', ...options.split(/\s+/).filter(Boolean), join(dirname(path), target)];
  return { words, env: nodePath === undefined ? {} : { NODE_PATH: nodePath } };
}

/** Options of Node whose value is the next word. */
const TAKES_VALUE =
  /^(-r|-C|--(require|import|loader|experimental-loader|conditions|env-file|env-file-if-exists))$/;
/** Options with which Node runs no script, or something else around it. */
const RUNS_NO_SCRIPT =
  /^(-e|-p|-i|-c|-|--(eval|print|interactive|check|test|run|watch(-path)?))(=|$)/;

/**
 * Parts the options of Node from the script.
 * @param {string[]} words after `node`
 * @returns {{nodeArgs: string[], script: string, args: string[]} | null} null: no script follows, or
 *   Node does something else with it
 */
export function splitNodeOptions(words) {
  let at = 0;
  while (words[at]?.startsWith('-')) {
    if (RUNS_NO_SCRIPT.test(words[at])) return null;
    at += TAKES_VALUE.test(words[at]) ? 2 : 1;
  }
  if (at >= words.length) return null;
  return { nodeArgs: words.slice(0, at), script: words[at], args: words.slice(at + 1) };
}

/**
 * @typedef {object} CommandLine
 * @property {string} script a path or a command
 * @property {string[]} args
 * @property {string[]} nodeArgs
 * @property {Record<string, string>} env variables in front of the command
 * @property {string} [reason] why a shell runs the line
 */

/**
 * `node server.js` becomes the script server.js, so that it runs as a cluster.
 * @param {string} line with a space
 * @param {(word: string) => string|null} find the path of a file, or a command of that name
 * @returns {CommandLine | {fault: string}} fault: why it is not one
 */
export function parseCommandLine(line, find) {
  if (splitWords(line) === null) return { fault: 'a quote is not closed' };
  const plain = readPlainCommand(line);
  if ('fault' in plain) {
    const reason = `it ${plain.fault}`;
    return { script: 'sh', args: ['-c', line], nodeArgs: [], env: {}, reason };
  }
  const { words, env } = plain;
  const [command, ...args] = words;
  const script = find(command);
  if (script === null) return { fault: `${command} is neither a file nor a command` };
  const split = script === 'node' ? splitNodeOptions(args) : null;
  return (split && lineOfNode(split, env, find)) ?? { script, args, nodeArgs: [], env };
}

/**
 * @param {NonNullable<ReturnType<typeof splitNodeOptions>>} split
 * @param {CommandLine['env']} env
 * @param {(word: string) => string|null} find
 * @returns {CommandLine | {fault: string} | null} null: only Node knows what it runs
 */
function lineOfNode(split, env, find) {
  const file = find(split.script);
  if (file?.includes('/')) return { ...split, script: file, env };
  const isMissing = file === null && NODE_EXTENSION.test(extname(split.script));
  return isMissing ? { fault: `there is no ${split.script}` } : null;
}
