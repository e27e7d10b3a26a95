/** A script that is written with its arguments: `npm start`, `server.js --port 80`, `node -r x server.js`. */
import { splitWords } from '../types/split-words.js';

/**
 * @typedef {object} CommandLine
 * @property {string} script a path or a command
 * @property {string[]} args
 * @property {string[]} nodeArgs
 */

/** Only a shell understands these, and variables in front of a command. */
const SHELL_SYNTAX = /[|&;<>$`*?(){}]|^\s*\w+=/;
const QUOTED = /\\.|'[^']*'|"(?:[^"\\]|\\.)*"/gs;
/** Options of Node whose value is the next word. */
const TAKES_VALUE =
  /^(-r|-C|--(require|import|loader|experimental-loader|conditions|env-file|env-file-if-exists))$/;
/** Options with which Node runs no script, or something else around it. */
const RUNS_NO_SCRIPT = /^(-e|-p|-i|-c|-|--(eval|print|interactive|check|test|run|watch))(=|$)/;

/**
 * `node server.js` becomes the script server.js, so that it runs as a cluster.
 * @param {string} line with a space
 * @param {(word: string) => string|null} find the path of a file, or a command of that name
 * @returns {CommandLine | {fault: string}} fault: why it is not one
 */
export function parseCommandLine(line, find) {
  const words = splitWords(line);
  if (words === null) return { fault: 'a quote is not closed' };
  if (needsShell(line)) {
    return { fault: "only a shell understands it: use bash, with args: ['-c', '…']" };
  }
  const [command, ...args] = words;
  const script = find(command);
  if (script === null) return { fault: `${command} is neither a file nor a command` };
  return (script === 'node' ? unwrapNode(args, find) : null) ?? { script, args, nodeArgs: [] };
}

/**
 * @param {string} line
 * @returns {boolean} whether it has more than words and quotes
 */
export function needsShell(line) {
  return SHELL_SYNTAX.test(line.replace(QUOTED, ''));
}

/**
 * @param {string[]} words after `node`
 * @param {(word: string) => string|null} find
 * @returns {CommandLine|null} null: no file follows
 */
function unwrapNode(words, find) {
  let at = 0;
  while (words[at]?.startsWith('-')) {
    if (RUNS_NO_SCRIPT.test(words[at])) return null;
    at += TAKES_VALUE.test(words[at]) ? 2 : 1;
  }
  const script = at < words.length ? find(words[at]) : null;
  if (!script?.includes('/')) return null;
  return { script, args: words.slice(at + 1), nodeArgs: words.slice(0, at) };
}
