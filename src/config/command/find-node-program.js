/**
 * The Node program behind a command, so that it can run as a cluster: through symbolic links, first
 * lines, package managers and other programs that only start it.
 */
import { join, resolve } from 'node:path';
import { loadEnvFile } from '../file/load-env-file.js';
import { launcherRule } from './launchers.js';
import {
  directoriesOf,
  hasNodeExtension,
  knownNames,
  locateCommand,
  locateMain,
  nearestOf,
  readStart,
} from './locate.js';
import { splitNodeOptions } from './node-options.js';
import { isPackageManager } from './package-manager.js';
import { openManagerCall } from './open-manager-call.js';
import { readShebang } from './shebang.js';
import { readShim } from './shim.js';

/** @import { Next } from './launchers.js' */

/**
 * @typedef {object} Command what is to run
 * @property {string[]} words
 * @property {string} cwd absolute
 * @property {string[]} nodeArgs
 * @property {Record<string, string>} env that the commands before it set
 * @property {string[]} binDirectories where commands are looked up before PATH
 * @property {string[]} lines of scripts in package.json that led to it
 * @property {boolean} isLaunched by another command
 *
 * @typedef {Pick<Command, 'cwd' | 'nodeArgs' | 'env' | 'binDirectories' | 'lines'>
 *   & {script: string, args: string[]}} NodeProgram
 * @typedef {{reason: string, instead: string | null}} Opaque `reason`: why the program behind the command
 *   is not known; `instead`: what to do then
 * @typedef {{program: NodeProgram} | Opaque | null} Found null: Node has nothing to do with it
 */

/** More would be a script that starts itself. */
const MAX_STEPS = 12;

/**
 * @param {Pick<Command, 'words' | 'cwd' | 'nodeArgs'>} typed
 * @param {{searchPath: string, env: Record<string, string>}} app its PATH and its environment
 * @returns {Found}
 */
export function findNodeProgram(typed, app) {
  /** @type {Command | Found} */
  let now = { ...typed, env: {}, binDirectories: [], lines: [], isLaunched: false };
  for (let steps = 0; now && 'words' in now; steps += 1) {
    if (steps === MAX_STEPS) return opaque(now.words[0], { fault: 'starts itself again' });
    now = nextStep(now, app);
  }
  return now;
}

/** @typedef {{searchPath: string, env: Record<string, string>}} AppPlace */

/** @param {Command} command @param {AppPlace} app @returns {Command | Found} */
function nextStep(command, app) {
  const [word, ...args] = command.words;
  const isPath = word.includes('/');
  const path = isPath
    ? resolve(command.cwd, word)
    : locateCommand(word, [...command.binDirectories, ...directoriesOf(app.searchPath)]);
  const names = [...(isPath ? [] : [word]), ...(path === null ? [] : knownNames(path))];
  if (names[0] === 'node') return runByNode(command, args, app);
  const launched = launch(command, names, args, app);
  if (launched) return launched;
  if (path === null) return opaque(word, { fault: 'is not a command here' });
  return runFile(command, path, args);
}

/**
 * @param {Command} command
 * @param {string[]} names of the command
 * @param {string[]} args
 * @param {AppPlace} app
 * @returns {Command | Found} null: it is not a launcher
 */
function launch(command, names, args, app) {
  const manager = names.find(isPackageManager);
  if (manager !== undefined) return openManagerCall(command, manager, args);
  for (const name of names) {
    const next = launcherRule(name)?.(args);
    if (next && 'fault' in next) return opaque([name, args[0] ?? ''].join(' ').trim(), next);
    if (next) return follow(command, name, next, app);
  }
  return null;
}

/** @param {Command} command @param {string} name @param {Next} next @param {AppPlace} app @returns {Command | Found} */
function follow(command, name, { words, env = {}, preload = [], envFiles }, app) {
  const [, missing] = preload;
  const owner = missing?.split('/')[0];
  if (owner && nearestOf(command.cwd, join('node_modules', owner)) === null) {
    return opaque(owner, { fault: `is not installed in ${command.cwd}` });
  }
  const loaded = envFiles ? loadVariables(command, envFiles, app) : {};
  if ('fault' in loaded) return opaque(name, { fault: String(loaded.fault) });
  return {
    ...command,
    words,
    nodeArgs: [...command.nodeArgs, ...preload],
    env: { ...command.env, ...loaded.values, ...env },
    isLaunched: true,
  };
}

/**
 * @param {Command} command
 * @param {NonNullable<Next['envFiles']>} envFiles
 * @param {AppPlace} app
 * @returns {{values?: Record<string, string>} | {fault: string}}
 */
function loadVariables({ cwd, env }, { files, overrides }, app) {
  /** @type {Record<string, string>} */
  const values = {};
  for (const file of files) {
    const loaded = loadEnvFile(resolve(cwd, file));
    if ('fault' in loaded) return { fault: `cannot load its file: ${loaded.fault}` };
    for (const [name, value] of Object.entries(loaded.values)) {
      if (value.includes('$')) return { fault: `expands the variable ${name} of ${file}` };
      const isSet = name in values || name in env || name in app.env;
      if (overrides || !isSet) values[name] = value;
    }
  }
  return { values };
}

/** @param {Command} command @param {string[]} words after `node` @param {AppPlace} app @returns {Command | Found} */
function runByNode(command, words, app) {
  const split = splitNodeOptions(words);
  if (split === null) {
    if (!command.isLaunched) return null;
    return opaque('node', { fault: 'is not asked to run a script' });
  }
  const script = locateMain(resolve(command.cwd, split.script));
  if (script === null) {
    if (!command.isLaunched) return null;
    return opaque('node', { fault: `finds no ${resolve(command.cwd, split.script)}` });
  }
  const next = { ...command, nodeArgs: [...command.nodeArgs, ...split.nodeArgs] };
  return launch(next, knownNames(script), split.args, app) ?? asProgram(next, script, split.args);
}

/** @param {Command} command @param {string} path @param {string[]} args @returns {Command | Found} */
function runFile(command, path, args) {
  if (hasNodeExtension(path)) return asProgram(command, path, args);
  const start = readStart(path);
  const shebang = readShebang(start);
  const shim = readShim(start, path);
  if (shim) {
    const env = { ...shim.env, ...command.env };
    return { ...command, words: [...shim.words, ...args], env, isLaunched: true };
  }
  const isNode = shebang !== null && (shebang[0] === 'node' || launcherRule(shebang[0]) !== null);
  if (isNode) return { ...command, words: [...shebang, path, ...args] };
  return command.isLaunched
    ? opaque(command.words[0], { fault: 'is not a program of Node' })
    : null;
}

/** @param {Command} command @param {string} script @param {string[]} args @returns {Found} */
function asProgram({ words: _, isLaunched: __, ...rest }, script, args) {
  return { program: { ...rest, script, args } };
}

/** @param {string} subject @param {{fault: string, instead?: string}} why @returns {Opaque} */
function opaque(subject, { fault, instead = undefined }) {
  return { reason: `${subject} ${fault}`, instead: instead ?? null };
}
