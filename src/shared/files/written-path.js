/** Paths as people write them: `~/` is expanded, and what only a shell expands is found before a file gets such a name. */
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** `~bob`, `$LOGS` and `${LOGS}`. */
const SHELL_ONLY = /^~[^/]+|\$(?:\{[^}]*\}?|[A-Za-z_]\w*)/;

/** @returns {string} of this user, absolute; throws if there is none */
export function userHome() {
  const home = os.homedir();
  return path.isAbsolute(home) ? home : os.userInfo().homedir;
}

/** @param {string} text @returns {string} with the home directory of this user for a `~` at its beginning */
export function expandHome(text) {
  return /^~(?:\/|$)/.test(text) ? path.join(userHome(), text.slice(1)) : text;
}

/** @param {string} text @returns {string | null} why it cannot be a path; null: it can */
export function pathFault(text) {
  const found = SHELL_ONLY.exec(text);
  if (found === null) return null;
  const end = text.indexOf('/', found.index + found[0].length);
  // A directory may really be called so, and paths of settings become absolute.
  const isName = path.isAbsolute(text) && existsSync(end === -1 ? text : text.slice(0, end));
  return isName ? null : `${found[0]} is not expanded in a path, only ~/ is: write the path itself`;
}
