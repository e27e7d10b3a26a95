import { join } from 'node:path';
import { readSmallFile } from '../../shared/files/small-file.js';

const MAX_BYTES = 4 * 1024 * 1024;

/** @typedef {Record<string, any>} PackageJson nothing in it has been checked */

/**
 * @param {string} directory
 * @returns {PackageJson|null} null: there is none, or it is not valid
 */
export function readPackageJson(directory) {
  try {
    const value = JSON.parse(readSmallFile(join(directory, 'package.json'), MAX_BYTES));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
