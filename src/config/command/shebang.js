import { splitWords } from '../types/split-words.js';

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
  if (!/(^|\/)env$/.test(command)) return [lastPart(command), ...args];
  // Without -S the kernel passes everything after `env` as one word.
  const named = args[0] === '-S' || args[0] === '--split-string' ? args.slice(1) : args;
  return named.length > 0 ? named : null;
}

/** @param {string} path */
function lastPart(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}
