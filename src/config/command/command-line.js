/** Command lines: how a shell splits them, whether they are one plain command, and how they start Node. */
import { basename, dirname, join } from 'node:path';

const ASSIGNMENT = /^[A-Za-z_]\w*=/;
/** Spaces, quotes and backslashes mean what they mean to a shell; all else is text. */
const WORD = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;
/** In which a shell finds nothing else to do. */
const PLAIN_WORD = /(?![#~])(?:[^\s"'\\`$|;&<>(){}*?[]|\\.|"(?:[^"\\`$]|\\.)*"|'[^']*')+/gs;
const PIECE = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs;

/**
 * @param {string} line
 * @returns {{words: string[], env: Record<string, string>} | {fault: string}} fault: in words that follow 'it'
 */
export function readPlainCommand(line) {
  const rest = line.trim().replace(PLAIN_WORD, '');
  const [syntax] = /[^ \t"']+/.exec(rest) ?? /["']/.exec(rest) ?? [];
  if (syntax !== undefined) return { fault: `needs a shell (\`${syntax}\`)` };
  const quoted = line.match(PLAIN_WORD) ?? [];
  const first = quoted.findIndex((word) => !ASSIGNMENT.test(word));
  if (first === -1) return { fault: 'runs nothing' };
  const words = quoted.map(unquote);
  const variables = words.slice(0, first).map((word) => word.split(/=(.*)/s, 2));
  return { words: words.slice(first), env: Object.fromEntries(variables) };
}

/** @param {string} line @returns {string[]|null} null if a quote is not closed */
export function splitWords(line) {
  if (line.replace(WORD, '').trim() !== '') return null;
  return (line.match(WORD) ?? []).map(unquote);
}

/** @param {string} word */
function unquote(word) {
  return word.replace(PIECE, (_, escaped, double, single) => {
    if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1');
    return escaped ?? single;
  });
}

const EXEC_NODE = /^[ \t]*exec node +"\$basedir\/([^"$`\\]+)"\s+"\$@"\s*$/m;

/** `['node', '--flag']` of `#!/usr/bin/env -S node --flag` @param {string} text of a file @returns {string[]} */
export function readShebang(text) {
  const [, line = ''] = /^#!(.{0,255})/.exec(text) ?? [];
  const [command = '', ...args] = splitWords(line.trim()) ?? [];
  if (!/(^|\/)env$/.test(command)) return [basename(command), ...args];
  // Without -S the kernel passes everything after `env` as one word.
  return /^(-S|--split-string)$/.test(args[0]) ? args.slice(1) : args;
}

/** What Node runs. @param {string} text of what pnpm writes into node_modules/.bin @param {string} path */
export function readShim(text, path) {
  const [, target] = EXEC_NODE.exec(text) ?? [];
  return target === undefined ? null : join(dirname(path), target);
}

/** Options of Node whose value is the next word. */
const TAKES_VALUE =
  /^(-r|-C|--(require|import|loader|experimental-loader|conditions|env-file|env-file-if-exists))$/;
/** Options with which Node runs no script, or something else around it. */
const RUNS_NO_SCRIPT =
  /^(-e|-p|-i|-c|-|--(eval|print|interactive|check|test|run|watch(-path)?))(=|$)/;

/** @param {string[]} words after `node` @returns null: it runs no script, or something around it */
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
 * `node server.js` becomes the script server.js, so that it runs as a cluster. `reason`: why a shell runs the line.
 * @param {string} line with a space @param {(word: string) => string|null} find the path of a file, or a command of that name
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
  const file = split && find(split.script);
  if (split && file?.includes('/')) return { ...split, script: file, env };
  return { script, args, nodeArgs: [], env };
}
