/** pnpm, and npm on other systems, link no programs into node_modules/.bin: they write shell scripts there. */
import { dirname, join } from 'node:path';

const BASE_DIRECTORY = /^basedir=\$\(dirname /m;
const EXEC_NODE = /^\s*exec node((?:\s+-[\w=./-]+)*)\s+"\$basedir\/([^"$`\\]+)"\s+"\$@"\s*$/m;
const NODE_PATH = /export NODE_PATH="([^"$`\\]+)"/;

/**
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
