/** What `start` is pointed at, if it is not an ecosystem file: a directory, programs, or stopped apps. */
import { resolve } from 'node:path';
import { findNodeProgram, scriptLine } from '../config/command/find-node-program.js';
import { locateCommand, readBounded } from '../config/command/locate.js';
import { inspectPath, listDirectory, resolveFrom } from '../shared/files/inspect-path.js';
import { findEcosystemFile } from '../config/file/load.js';
import { readPackageJson } from '../shared/files/small-file.js';
import { findProgram } from '../config/init.js';
import { nearest } from '../config/spelling.js';
import { isCommand } from '../config/resolve/program.js';
import { NodeclusterError } from '../errors/error.js';
import { ownProgram } from '../shared/package/root.js';

/**
 * @typedef {{cwd: string, env: Record<string, string | undefined>}} Place where the words were typed
 * @typedef {{kind: 'file', file: string}
 *   | {kind: 'program', program: {script: string, args: string[], cwd: string}}} InDirectory
 */

/**
 * @param {readonly string[]} words
 * @param {Pick<Place, 'cwd'>} place
 * @returns {InDirectory | null} its ecosystem file, or else the program of its package; null: the
 *   words are not a directory, or the name of one that may be an app
 * @throws {NodeclusterError} E_NO_PROGRAM
 */
export function readDirectory(words, { cwd }) {
  const [word = ''] = words;
  const isPath = words.length === 1 && (word === '.' || word.includes('/'));
  return isPath ? contentOf(resolveFrom(cwd, word)) : null;
}

/** @param {string} directory @returns {InDirectory | null} null: it is not one */
function contentOf(directory) {
  if (inspectPath(directory).kind !== 'directory') return null;
  const file = findEcosystemFile(directory);
  if (file !== null) return { kind: 'file', file };
  return { kind: 'program', program: { ...programIn(directory), cwd: directory } };
}

/** @param {string} directory */
function programIn(directory) {
  const packageJson = readPackageJson(directory);
  const program = findProgram(packageJson, directory);
  const start = packageJson && scriptLine(packageJson, 'start');
  if (start && (program === null || leadsToProgram(start, directory))) {
    return { script: 'npm', args: ['start'] };
  }
  if (program !== null) return program;
  throw new NodeclusterError('E_NO_PROGRAM', { directory });
}

/** @param {string} start the script of package.json @param {string} directory */
function leadsToProgram(start, directory) {
  if (/^\s*node\s/.test(start)) return false; // it needs no npm
  const npmStart = { words: ['npm', 'start'], nodeArgs: [], cwd: directory };
  const found = findNodeProgram(npmStart, '');
  return found !== null && 'program' in found;
}

/**
 * A command in PATH counts as a program only if settings are given with it, because an existing app
 * has its own. So does a path that cannot be inspected, so that the user learns why it cannot.
 * @param {string} word
 * @param {Place} place
 * @param {Record<string, unknown>} settings given with it, by option key
 * @param {(word: string) => boolean} [isApp] whether an app has that name
 */
export function isProgram(word, { cwd, env }, settings, isApp = () => false) {
  if (settings.interpreter !== undefined || settings.exec_mode === 'fork') return true;
  // A command line in quotes; names have no spaces.
  if (/\S\s+\S/.test(word) || ownProgram(word) !== null) return true;
  const { kind, fault } = inspectPath(resolve(cwd, word));
  if (kind === 'file' || (fault !== null && /[./]/.test(word))) return true;
  return Object.keys(settings).length > 0 && isCommand(word, env.PATH) && !isApp(word);
}

/**
 * @param {unknown} thrown by a request to start stopped apps
 * @param {readonly string[]} words
 * @param {Place} place
 * @returns {InDirectory & {command?: string}} what the only word names, which is not an app: a directory here, or else a
 *   command, with its path; not a script such as npm, which does something only with arguments
 * @throws {NodeclusterError} E_NEITHER_FILE_NOR_APP in place of E_APP_UNKNOWN: the word may be a mistyped
 *   file; E_NO_PROGRAM
 */
export function programInstead(thrown, words, { cwd, env }) {
  const { code, data } = NodeclusterError.from(thrown);
  if (code !== 'E_APP_UNKNOWN') throw thrown;
  const { selector: word = '', known = [] } = data;
  const isOnly = words.length === 1 && !word.includes('/');
  const here = isOnly ? contentOf(resolve(cwd, word)) : null;
  if (here) return here;
  const command = isOnly && locateCommand(word, env.PATH);
  if (command && !readBounded(command).startsWith('#!')) {
    return { kind: 'program', program: { script: word, args: [], cwd }, command };
  }
  throw new NodeclusterError('E_NEITHER_FILE_NOR_APP', {
    word,
    directory: resolveFrom(cwd, '.'),
    known,
    isCommand: isCommand(word, env.PATH),
    line: words.join(' '),
    nearest: nearest(word, [...known, ...listDirectory(cwd)]),
  });
}
