import { statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readSmallFile } from '../../shared/files/small-file.js';

const MAX_BYTES = 1024 * 1024;

/**
 * @param {string} path of a file of `NAME=value` lines
 * @returns {{values: Record<string, string>} | {fault: string}}
 */
export function loadEnvFile(path) {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return { fault: `there is no ${path}` };
    if (stats.isDirectory()) return { fault: `${path} is a directory` };
    return { values: parseLines(readSmallFile(path, MAX_BYTES)) };
  } catch (error) {
    return { fault: `could not read ${path}: ${/** @type {Error} */ (error).message}` };
  }
}

/**
 * Node 20 takes a line without `=` and spaces after `export` into the next name; later versions do not.
 * @param {string} text
 * @returns {Record<string, string>}
 */
function parseLines(text) {
  const pairs = Object.entries(parseEnv(text.replace(/^\ufeff/, '')));
  return Object.fromEntries(
    pairs.map(([name, value]) => [name.replace(/^[^]*\n|^\s*export\s/, '').trim(), String(value)]),
  );
}
