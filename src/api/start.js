/** `start`: of an ecosystem file, a directory, programs, or stopped apps; of a program and of the command line. */
import { resolve } from 'node:path';
import { findNodeProgram, scriptLine } from '../config/command/find-node-program.js';
import { locateCommand, readBounded } from '../config/command/locate.js';
import { inspectPath, listDirectory } from '../shared/files/inspect-path.js';
import { findEcosystemFile } from '../config/file/load.js';
import { readPackageJson } from '../shared/files/small-file.js';
import { findProgram } from '../config/init.js';
import { nearest } from '../config/spelling.js';
import { isCommand } from '../config/resolve/program.js';
import { NodeclusterError } from '../errors/error.js';
import { ownProgram } from '../shared/package/root.js';
import { applyFile, changeSettings, environmentOf, hasSettings, specParams } from './replace.js';
import { fileAmong, selectorsFor } from './selectors.js';
import { loadChangedSpecs } from './specs.js';

/**
 * @import { Spec } from '../config/spec.js'
 * @import { Caller, Order } from './replace.js'
 *
 * @typedef {{script: string, args: string[], cwd?: string}} Program
 * @typedef {{file: string} | {program: Program, command?: string}} Found command: the path of that in PATH
 *
 * @typedef {object} StartOrder
 * @property {(programs: Program[]) => Spec[]} toSpecs with the settings
 */

/** @param {Caller} caller @param {string[]} words @param {Order & StartOrder} order */
export async function start(caller, words, order) {
  const startFound = (/** @type {Found} */ found) => {
    if ('file' in found) return applyFile(caller, found.file, { ...order, action: 'start' });
    const { program, command } = found;
    if (command) caller.note(`${program.script}: no file here, runs ${command}`);
    return startSpecs(caller, order.toSpecs([program]), order);
  };
  const found = targetOf(caller, words, order);
  if (found) return startFound(found);
  if (words.some((word) => isProgram(word, caller.cwd, order))) {
    return startSpecs(caller, order.toSpecs(programsOf(words)), order);
  }
  try {
    return await startStopped(caller, words, order);
  } catch (error) {
    return startFound(programInstead(error, words, caller, order));
  }
}

/**
 * @param {Caller} caller
 * @param {string[]} words programs, a directory, or an ecosystem file
 * @param {Order & StartOrder} order
 * @returns {Promise<{specs: Spec[], file: string | null}>}
 */
export async function readSpecs(caller, words, order) {
  const found = targetOf(caller, words, order);
  if (found && 'file' in found) return loadChangedSpecs(caller, found.file, order);
  const programs = found ? [found.program] : programsOf(words);
  return { specs: order.toSpecs(programs), file: null };
}

/** @param {Caller} caller @param {string[]} words @param {Order} options @returns {Found | null} null: programs, or selectors */
function targetOf(caller, words, options) {
  const [word = ''] = words;
  // Without a slash it may be the name of an app.
  const isPath = words.length === 1 && (word === '.' || word.includes('/'));
  const inDirectory = isPath ? contentOf(resolve(caller.cwd, word)) : null;
  if (inDirectory) return inDirectory;
  const file = fileAmong(caller, words, options);
  return file === null ? null : { file };
}

/** @param {string[]} scripts */
const programsOf = (scripts) => scripts.map((script) => ({ script, args: [] }));

/** @param {Caller} caller @param {Spec[]} specs @param {Partial<Order & StartOrder>} order @throws {NodeclusterError} E_APP_EXISTS */
export async function startSpecs(caller, specs, { onSpecs, settings }) {
  const onPlan = onSpecs?.(specs);
  const client = await caller.daemons.start();
  return caller.request(client, 'start', specParams(caller, specs, settings), onPlan);
}

/** @param {Caller} caller @param {string[]} words @param {Order & StartOrder} order */
async function startStopped(caller, words, order) {
  const client = await caller.openForApps();
  if (hasSettings(order)) return changeSettings(caller, words, { ...order, action: 'apply' });
  const selectors = await selectorsFor(caller, client, words);
  return caller.request(client, 'resume', { selectors, ...environmentOf(caller, order) });
}

/** The ecosystem file, or else the program of its package. @param {string} directory @returns {Found | null} */
function contentOf(directory) {
  if (inspectPath(directory).kind !== 'directory') return null;
  const file = findEcosystemFile(directory);
  if (file !== null) return { file: resolve(directory, file) };
  return { program: { ...programIn(directory), cwd: directory } };
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

/** @param {string} word @param {string} cwd @param {Order} order */
function isProgram(word, cwd, { settings }) {
  if (settings.interpreter !== undefined || settings.exec_mode === 'fork') return true;
  // A command line in quotes; names have no spaces.
  if (/\S\s+\S/.test(word) || ownProgram(word) !== null) return true;
  const { kind, fault } = inspectPath(resolve(cwd, word));
  // Of a path that cannot be inspected, the user learns why it cannot.
  return kind === 'file' || (fault !== null && /[./]/.test(word));
}

/**
 * What the only word names, which is not an app: a directory here, or else a command; a script, as npm is, needs settings.
 * @param {unknown} thrown by a request to start stopped apps
 * @param {string[]} words
 * @param {Caller} caller
 * @param {Order} order
 * @returns {Found}
 */
function programInstead(thrown, words, { cwd, env }, order) {
  const { code, data } = NodeclusterError.from(thrown);
  if (code !== 'E_APP_UNKNOWN' && code !== 'E_NO_APPS') throw thrown;
  const { selector: word = words[0], known = [] } = data;
  const isOnly = words.length === 1 && !word.includes('/');
  const here = isOnly ? contentOf(resolve(cwd, word)) : null;
  if (here) return here;
  const command = isOnly && locateCommand(word, env.PATH);
  if (command && (hasSettings(order) || !readBounded(command).startsWith('#!'))) {
    return { program: { script: word, args: [] }, command };
  }
  throw new NodeclusterError('E_NEITHER_FILE_NOR_APP', {
    word,
    directory: cwd,
    isCommand: isCommand(word, env.PATH),
    line: words.join(' '),
    nearest: nearest(word, [...known, ...listDirectory(cwd)]),
  });
}
