/** Files of `NAME=value` lines. The only importer of dotenv. */
import { readFileSync, statSync } from 'node:fs';
import { parse } from 'dotenv';

const MAX_BYTES = 1024 * 1024;

/**
 * @param {string} path
 * @returns {{values: Record<string, string>} | {fault: string}}
 */
export function loadEnvFile(path) {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return { fault: `there is no ${path}` };
    if (stats.isDirectory()) return { fault: `${path} is a folder` };
    if (stats.size > MAX_BYTES) return { fault: `${path} is larger than 1 MiB` };
    return { values: parse(readFileSync(path, 'utf8')) };
  } catch (error) {
    return { fault: `${path} cannot be read: ${/** @type {Error} */ (error).message}` };
  }
}
