import { readFileSync } from 'node:fs';

/**
 * @param {string} file
 * @param {number} count
 * @returns {string[]} its last lines that are not empty; none if it cannot be read
 */
export function readLastLines(file, count) {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).slice(-count);
  } catch {
    return [];
  }
}
