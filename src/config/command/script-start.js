/** How a script starts Node: by its first line, or as a shell script that stands in node_modules/.bin. */
import { dirname, join } from 'node:path';
import { splitWords } from '../types/split-words.js';

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
  if (!/(^|\/)env$/.test(command)) return [lastPart(command), ...args];
  // Without -S the kernel passes everything after `env` as one word.
  const named = args[0] === '-S' || args[0] === '--split-string' ? args.slice(1) : args;
  return named.length > 0 ? named : null;
}

/** @param {string} path */
function lastPart(path) {
  return path.slice(path.lastIndexOf('/') + 1);
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
