/**
 * Programs of this package that apps run. A spec has their names, since each version has its own
 * directory: a primary runs those of its version.
 */
import path from 'node:path';
import { PACKAGE_ROOT } from './root.js';

/** The app of `nodecluster serve`. */
export const SERVE = 'nodecluster:serve';

const FILES = new Map([[SERVE, path.join(PACKAGE_ROOT, 'src', 'clients', 'serve', 'main.js')]]);

/**
 * @param {string} script
 * @returns {string | null} the path of that program for this process; null: it is not one of this package
 */
export function ownProgram(script) {
  return FILES.get(script) ?? null;
}
