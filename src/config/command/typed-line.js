/** A script that is written with its arguments: `npm start`, `server.js --port 80`, `node -r x server.js`. */
import { splitNodeOptions } from './node-start.js';
import { readPlainCommand } from './shell-words.js';

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
  const plain = readPlainCommand(line);
  if ('fault' in plain) {
    if (plain.fault.includes('not closed')) return { fault: `it ${plain.fault}` };
    const reason = `it ${plain.fault}, which only a shell understands`;
    return { script: 'sh', args: ['-c', line], nodeArgs: [], env: {}, reason };
  }
  const { words, env } = plain;
  const [command, ...args] = words;
  const script = find(command);
  if (script === null) return { fault: `${command} is neither a file nor a command` };
  const unwrapped = script === 'node' ? unwrapNode(args, find) : null;
  return { ...(unwrapped ?? { script, args, nodeArgs: [] }), env };
}

/**
 * @param {string[]} words after `node`
 * @param {(word: string) => string|null} find
 * @returns {Omit<CommandLine, 'env'> | null} null: no file follows
 */
function unwrapNode(words, find) {
  const split = splitNodeOptions(words);
  const script = split && find(split.script);
  return split && script?.includes('/') ? { ...split, script } : null;
}
