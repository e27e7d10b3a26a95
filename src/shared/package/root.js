/** Where this package is, and what runs the programs of apps: this package itself, or Node. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGE_ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The app of `nodecluster serve`. A spec has its name: a primary runs the program of its own version. */
export const SERVE = 'nodecluster:serve';

/** The path of a program of this package for this process; null: it is none. @param {string} script */
export function ownProgram(script) {
  return script === SERVE ? path.join(PACKAGE_ROOT, 'src/clients/serve/main.js') : null;
}

/** @param {string | null} interpreter a command @returns {boolean} whether it runs scripts as Node does */
export function isNode(interpreter) {
  return interpreter !== null && /^node(js)?\d*$/.test(path.basename(interpreter));
}
