import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectPath } from './inspect-path.js';

/** @typedef {Record<string, any>} PackageJson nothing in it has been checked */

/**
 * @param {string} directory
 * @returns {PackageJson|null} null: there is none, or it is not valid
 */
export function readPackageJson(directory) {
  const file = join(directory, 'package.json');
  // Reading anything but a file, such as a pipe, could take forever.
  if (inspectPath(file).kind !== 'file') return null;
  try {
    const value = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
