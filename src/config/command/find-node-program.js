/**
 * The Node program behind a command, so that it can run as a cluster: through symbolic links, first
 * lines, package managers and other programs that only start it.
 */
import { delimiter, join, resolve } from 'node:path';
import { isLoader, readLauncher } from './launchers.js';
import {
  hasNodeExtension,
  knownNames,
  locateCommand,
  locateMain,
  nearestOf,
  readStart,
} from './locate.js';
import { splitNodeOptions, readShebang, readShim } from './node-start.js';
import { PACKAGE_MANAGERS, openManagerCall } from './open-manager-call.js';

/** @import { Loaded } from './launchers.js' */

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
 * @typedef {{reason: string, instead: string | null, isMissing?: true}} Opaque `reason`: why the program behind
 *   the command is not known; `instead`: what to do then; `isMissing`: the command can only fail
 * @typedef {{program: NodeProgram} | Opaque | null} Found null: Node has nothing to do with it
 */

const WATCH_MODE = {
  reason: 'node --watch starts the program in another process, and restarts it there',
  instead: '`nodecluster start app.js --watch` reloads it when a file changes',
};
/** More would be a script that starts itself. */
const MAX_STEPS = 12;

/**
 * @param {Pick<Command, 'words' | 'cwd' | 'nodeArgs'>} typed
 * @param {string} searchPath PATH of the app
 * @returns {Found}
 */
export function findNodeProgram(typed, searchPath) {
  /** @type {Command | Found} */
  let now = { ...typed, env: {}, binDirectories: [], lines: [], isLaunched: false };
  for (let steps = 0; now && 'words' in now; steps += 1) {
    if (steps === MAX_STEPS) return opaque(now.words[0], 'starts itself again');
    now = nextStep(now, searchPath);
  }
  return now;
}

/** @param {Command} command @param {string} searchPath @returns {Command | Found} */
function nextStep(command, searchPath) {
  const [word, ...args] = command.words;
  const isPath = word.includes('/');
  const path = isPath
    ? resolve(command.cwd, word)
    : locateCommand(word, [...command.binDirectories, searchPath].join(delimiter));
  const names = [...(isPath ? [] : [word]), ...(path === null ? [] : knownNames(path))];
  if (names[0] === 'node') return runByNode(command, args);
  const launched = launch(command, names, args);
  if (launched) return launched;
  if (path === null) return opaque(word, 'is not a command here');
  return runFile(command, path, args);
}

/** @param {Command} command @param {string[]} names @param {string[]} args @returns {Command | Found} */
function launch(command, names, args) {
  const manager = names.find((name) => PACKAGE_MANAGERS.includes(name));
  if (manager !== undefined) return openManagerCall(command, manager, args);
  for (const name of names) {
    const next = readLauncher(name, args);
    if (next) return 'reason' in next ? next : preload(command, next);
  }
  return null;
}

/** @param {Command} command @param {Loaded} loaded @returns {Command | Found} */
function preload(command, { words, preload: [option, module] }) {
  const [owner] = module.split('/');
  if (nearestOf(command.cwd, join('node_modules', owner)) === null) {
    return opaque(owner, `is not installed in ${command.cwd}`);
  }
  const nodeArgs = [...command.nodeArgs, option, module];
  return { ...command, words: ['node', ...words], nodeArgs, isLaunched: true };
}

/** @param {Command} command @param {string[]} words after `node` @returns {Command | Found} */
function runByNode(command, words) {
  const split = splitNodeOptions(words);
  if (split === null) {
    const hasOption = (/** @type {string} */ name) => words.some((word) => word.startsWith(name));
    if (hasOption('--run')) return openManagerCall(command, 'node', words);
    if (hasOption('--watch')) return WATCH_MODE;
    return command.isLaunched ? opaque('node', 'is not asked to run a script') : null;
  }
  const file = resolve(command.cwd, split.script);
  const script = locateMain(file);
  if (script === null) return command.isLaunched ? opaque('node', `finds no ${file}`) : null;
  const next = { ...command, nodeArgs: [...command.nodeArgs, ...split.nodeArgs] };
  return launch(next, knownNames(script), split.args) ?? asProgram(next, script, split.args);
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
  const isNode = shebang !== null && (shebang[0] === 'node' || isLoader(shebang[0]));
  if (isNode) return { ...command, words: [...shebang, path, ...args] };
  return command.isLaunched ? opaque(command.words[0], 'is not a program of Node') : null;
}

/** @param {Command} command @param {string} script @param {string[]} args @returns {Found} */
function asProgram({ words: _, isLaunched: __, ...rest }, script, args) {
  return { program: { ...rest, script, args } };
}

/** @param {string} subject @param {string} fault @returns {Opaque} */
function opaque(subject, fault) {
  return { reason: `${subject} ${fault}`, instead: null };
}
