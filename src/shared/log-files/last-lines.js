import { readFileSync } from 'node:fs';

/**
 * @param {string} file
 * @param {number} count
 * @param {number} [from] bytes to skip
 * @returns {string[]} its last lines that are not empty; none if it cannot be read
 */
export function readLastLines(file, count, from = 0) {
  try {
    return readFileSync(file).subarray(from).toString().split('\n').filter(Boolean).slice(-count);
  } catch {
    return [];
  }
}
