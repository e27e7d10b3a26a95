/**
 * The Node program behind a command, so that it can run as a cluster: through symbolic links, first lines, package
 * managers and tsx. Of every other form, only why it runs in fork mode is known.
 */
import { delimiter, join, resolve } from 'node:path';
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
 * @typedef {{reason: string, isMissing?: true}} Opaque `reason`: why the program behind the command is not known;
 *   `isMissing`: the command can only fail
 * @typedef {{program: NodeProgram} | Opaque | null} Found null: Node has nothing to do with it
 */

/** Commands, and packages, which as cluster workers would be supervised in place of what they start. */
const STARTERS =
  /^(nodemon|node-dev|ts-node-dev|tsnd|supervisor|babel-node|tsx watch|cross-env(-shell)?|env-cmd|dotenv(-cli|x)?|conc(urrently)?|npm-run-all|run-[ps]|turbo|nx|lerna|nf|pm2(-runtime)?|forever|nest start|next dev|nuxi preview)$/;
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
    if (steps === MAX_STEPS) return { reason: `${now.words[0]} starts itself again` };
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
  const known = openKnown(command, names, args);
  if (known) return known;
  return path === null ? { reason: `${word} is not a command here` } : runFile(command, path, args);
}

/** @param {Command} command @param {string[]} names @param {string[]} args @returns {Command | Found} */
function openKnown(command, names, args) {
  const manager = names.find((name) => PACKAGE_MANAGERS.includes(name));
  if (manager !== undefined) return openManagerCall(command, manager, args);
  const starter = names
    .flatMap((name) => [name, `${name} ${args[0]}`])
    .find((name) => STARTERS.test(name));
  if (starter !== undefined) return { reason: `${starter} starts the program in another process` };
  // It connects to its port before it listens there, and a cluster answers for a worker that starts.
  if (names.includes('serve')) return { reason: 'serve takes another port if its own is in use' };
  if (!names.includes('tsx')) return null;
  if (nearestOf(command.cwd, join('node_modules', 'tsx')) === null) {
    return { reason: `tsx is not installed in ${command.cwd}` };
  }
  const nodeArgs = [...command.nodeArgs, '--import', 'tsx'];
  return { ...command, words: ['node', ...args], nodeArgs, isLaunched: true };
}

/** @param {Command} command @param {string[]} words after `node` @returns {Command | Found} */
function runByNode(command, words) {
  const split = splitNodeOptions(words);
  if (split === null) {
    const option = words.find((word) => /^--(run|watch)/.test(word));
    if (option !== undefined)
      return { reason: `node ${option} starts the program in another process` };
    return command.isLaunched ? { reason: 'node is not asked to run a script' } : null;
  }
  const file = resolve(command.cwd, split.script);
  const script = locateMain(file);
  if (script === null) return command.isLaunched ? { reason: `node finds no ${file}` } : null;
  const next = { ...command, nodeArgs: [...command.nodeArgs, ...split.nodeArgs] };
  return openKnown(next, knownNames(script), split.args) ?? asProgram(next, script, split.args);
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
  if (shebang && /^(node|tsx)$/.test(shebang[0])) {
    return { ...command, words: [...shebang, path, ...args] };
  }
  return command.isLaunched ? { reason: `${command.words[0]} is not a program of Node` } : null;
}

/** @param {Command} command @param {string} script @param {string[]} args @returns {Found} */
function asProgram({ words: _, isLaunched: __, ...rest }, script, args) {
  return { program: { ...rest, script, args } };
}
