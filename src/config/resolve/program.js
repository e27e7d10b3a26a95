/** Looks up on disk what runs, where and how: script, cwd, interpreter and exec_mode. */
import { constants } from 'node:fs';
import { basename, delimiter, extname, join, resolve } from 'node:path';
import { ownProgram } from '../../shared/package/programs.js';
import { inspectPath, isAccessible } from '../file/inspect-path.js';
import { parseCommandLine } from './command-line.js';
import { isRunByNode } from './shebang.js';

/**
 * @import { ConfigValue } from '../file/config-value.js'
 * @import { CommandLine } from './command-line.js'
 */

/** @typedef {{name: string|null, isNode: boolean}} Interpreter */
/**
 * @typedef {object} Lookup
 * @property {Record<string, any>} values by option key; undefined where rejected
 * @property {(key: string) => ConfigValue} inputOf
 * @property {string} directory what relative paths start from
 * @property {string} searchPath PATH of the app
 */

/** @type {Record<string, string>} */
const INTERPRETERS = {
  '.py': 'python3',
  '.sh': 'bash',
  '.php': 'php',
  '.rb': 'ruby',
  '.pl': 'perl',
};
export const NODE_EXTENSION = /^\.[cm]?[jt]s$/;

/**
 * @param {Lookup} lookup
 * @returns {(CommandLine & {cwd: string, interpreter: string|null, execMode: 'cluster'|'fork'}) | null}
 *   null if a value was rejected
 */
export function resolveProgram(lookup) {
  const cwd = findCwd(lookup);
  const found = lookup.values.script && findScript(lookup, cwd);
  const interpreter = cwd && found && findInterpreter(found.script, lookup);
  if (!interpreter) return null;
  const execMode = resolveExecMode(interpreter, lookup);
  if (!execMode) return null;
  // In a cluster, null means the daemon's own Node; in fork mode, that there is no interpreter.
  const ownNode = interpreter.isNode && execMode === 'fork' ? 'node' : null;
  const args = [...found.args, ...(lookup.values.args ?? [])];
  const nodeArgs = [...(lookup.values.node_args ?? []), ...found.nodeArgs];
  const { script } = found;
  return { script, args, nodeArgs, cwd, interpreter: interpreter.name ?? ownNode, execMode };
}

/** @param {string} command @returns {boolean} whether it runs scripts as Node does */
export function isNodeCommand(command) {
  return /^node(js)?\d*$/.test(basename(command));
}

/**
 * @param {string} name
 * @param {string} searchPath PATH
 * @returns {boolean}
 */
export function isCommand(name, searchPath) {
  if (name.includes('/')) return false;
  return searchPath
    .split(delimiter)
    .some((directory) => directory && isExecutable(join(directory, name)));
}

/**
 * @param {string} script
 * @returns {string|null} what runs it by its extension; null: nothing
 */
export function usualInterpreter(script) {
  const extension = extname(script);
  return NODE_EXTENSION.test(extension) ? 'node' : (INTERPRETERS[extension] ?? null);
}

/** @param {Lookup} lookup */
function findCwd({ values, inputOf, directory }) {
  const cwd = resolve(directory, values.cwd ?? '.');
  const { kind, fault } = inspectPath(cwd);
  if (kind === 'directory') return cwd;
  if (fault === null) return inputOf('cwd').reject('a directory that exists', cwd);
  return inputOf('cwd').reject('a directory that may be entered', `${cwd}: ${fault}`);
}

/** @param {Lookup} lookup @param {string|undefined} cwd @returns {CommandLine|undefined} */
function findScript({ values: { script }, inputOf, directory, searchPath }, cwd) {
  const directories = [...new Set(cwd === undefined ? [directory] : [cwd, directory])];
  const inspect = (/** @type {string} */ word) =>
    directories.map((each) => resolve(each, word)).map((path) => ({ path, ...inspectPath(path) }));
  const find = (/** @type {string} */ word) =>
    inspect(word).find(({ kind }) => kind === 'file')?.path ??
    (isCommand(word, searchPath) ? word : null);
  const whole = ownProgram(script) ? script : find(script);
  if (whole !== null) return { script: whole, args: [], nodeArgs: [] };
  const line = /\S\s/.test(script) ? parseCommandLine(script, find) : null;
  if (line && !('fault' in line)) return line;
  const paths = inspect(script);
  const faulty = paths.find(({ fault }) => fault !== null);
  const missing = `there is no ${paths.map(({ path }) => path).join(' and no ')}`;
  const note = faulty ? `${faulty.path}: ${faulty.fault}` : (line?.fault ?? missing);
  return inputOf('script').reject('a file that exists or a command in PATH', note);
}

/** @param {string} script @param {Lookup} lookup @returns {Interpreter|undefined} */
function findInterpreter(script, { values: { interpreter }, inputOf, directory, searchPath }) {
  if (interpreter === undefined) return interpreterFor(script, inputOf('script'), searchPath);
  if (interpreter === 'none') return withoutInterpreter(script, inputOf('interpreter'));
  if (interpreter === 'node') return { name: null, isNode: true };
  const name = interpreter.includes('/') ? resolve(directory, interpreter) : interpreter;
  if (!isExecutable(name) && !isCommand(name, searchPath)) {
    return inputOf('interpreter').reject('a command in PATH or the path of a program');
  }
  return { name, isNode: isNodeCommand(name) };
}

/**
 * @param {string} script
 * @param {ConfigValue} input
 * @param {string} searchPath
 * @returns {Interpreter|undefined}
 */
function interpreterFor(script, input, searchPath) {
  const extension = extname(script);
  const name =
    usualInterpreter(script) ??
    (ownProgram(script) || (extension === '' && isRunByNode(script)) ? 'node' : null);
  if (name === 'node') return { name: null, isNode: true };
  if (name === null) return withoutInterpreter(script, input);
  if (isCommand(name, searchPath)) return { name, isNode: false };
  const note = `${name}, which runs ${extension}, is not in PATH`;
  return input.reject('a program that can run here', note);
}

/** @param {string} script @param {ConfigValue} input @returns {Interpreter|undefined} */
function withoutInterpreter(script, input) {
  if (!script.includes('/') || isExecutable(script)) return { name: null, isNode: false };
  const note = `${script} is not executable`;
  return input.reject('an executable file, or an interpreter that runs it', note);
}

/** @param {Interpreter} interpreter @param {Lookup} lookup @returns {'cluster'|'fork'|undefined} */
function resolveExecMode({ name, isNode }, { values, inputOf }) {
  if (isNode || values.exec_mode !== 'cluster') {
    return values.exec_mode ?? (isNode ? 'cluster' : 'fork');
  }
  const runs = name ? `${name} runs it` : 'it runs by itself';
  return inputOf('exec_mode').reject('fork', `cluster is for scripts that Node runs; ${runs}`);
}

/** @param {string} path */
function isExecutable(path) {
  return inspectPath(path).kind === 'file' && isAccessible(path, constants.X_OK);
}
