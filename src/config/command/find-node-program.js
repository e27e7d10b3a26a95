/** The Node program behind a command, so that it can run as a cluster; of other forms, only why they run in fork mode. */
import { delimiter, extname, join, resolve } from 'node:path';
import { readPackageJson } from '../../shared/files/small-file.js';
import { readPlainCommand, readShebang, readShim, splitNodeOptions } from './command-line.js';
import {
  NODE_EXTENSION,
  binDirectoriesOf,
  knownNames,
  locateCommand,
  locateMain,
  nearestWith,
  readBounded,
} from './locate.js';

/** @import { PackageJson } from '../../shared/files/small-file.js' */

/**
 * @typedef {object} Command what is to run
 * @property {string[]} words
 * @property {string} cwd absolute
 * @property {string[]} nodeArgs
 * @property {Record<string, string>} env that the commands before it set
 * @property {string[]} binDirectories where commands are looked up before PATH
 * @property {string[]} lines of scripts in package.json that led to it
 *
 * @typedef {Omit<Command, 'words'> & {script: string, args: string[]}} NodeProgram
 * @typedef {{reason: string, isMissing?: boolean}} Opaque `reason`: why the program behind the command is not known;
 *   `isMissing`: the command can only fail
 * @typedef {{program: NodeProgram} | Opaque | null} Found null: Node has nothing to do with it
 */

/** Commands, and packages, which as cluster workers would be supervised in place of what they start. */
const STARTERS =
  /^(nodemon|node-dev|ts-node-dev|tsnd|supervisor|babel-node|tsx watch|cross-env(-shell)?|env-cmd|dotenv(-cli|x)?|conc(urrently)?|npm-run-all|run-[ps]|turbo|nx|lerna|nf|pm2(-runtime)?|forever|nest start|next dev|nuxi preview)$/;
/** More would be a script that starts itself. */
const MAX_STEPS = 12;

/** @param {Pick<Command, 'words' | 'cwd' | 'nodeArgs'>} typed @param {string} searchPath PATH of the app @returns {Found} */
export function findNodeProgram(typed, searchPath) {
  /** @type {Command} */
  let now = { ...typed, env: {}, binDirectories: [], lines: [] };
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const next = nextStep(now, searchPath);
    if (next === null && steps > 0) {
      return { reason: `${now.words.join(' ')} runs no script of Node` };
    }
    if (next === null || !('words' in next)) return next;
    now = next;
  }
  return { reason: `${now.words[0]} starts itself again` };
}

/** @param {Command} command @param {string} searchPath @returns {Command | Found} */
function nextStep(command, searchPath) {
  const [word, ...args] = command.words;
  const path = word.includes('/')
    ? resolve(command.cwd, word)
    : locateCommand(word, [...command.binDirectories, searchPath].join(delimiter));
  if (word === 'node') return runByNode(command, args);
  const known = openKnown(command, [word, ...knownNames(path ?? '')], args);
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
  if (nearestWith(command.cwd, join('node_modules', 'tsx')) === null) {
    return { reason: `tsx is not installed in ${command.cwd}` };
  }
  const nodeArgs = [...command.nodeArgs, '--import', 'tsx'];
  return { ...command, words: ['node', ...args], nodeArgs };
}

/** @param {Command} command @param {string[]} words after `node` @returns {Command | Found} */
function runByNode(command, words) {
  const split = splitNodeOptions(words);
  if (split === null) {
    const option = words.find((word) => /^--(run|watch)/.test(word));
    return option ? { reason: `node ${option} starts the program in another process` } : null;
  }
  const file = resolve(command.cwd, split.script);
  const script = locateMain(file);
  if (script === null) {
    return { reason: `node finds no ${file}`, isMissing: NODE_EXTENSION.test(extname(file)) };
  }
  const next = { ...command, nodeArgs: [...command.nodeArgs, ...split.nodeArgs] };
  return openKnown(next, knownNames(script), split.args) ?? asProgram(next, script, split.args);
}

/** @param {Command} command @param {string} path @param {string[]} args @returns {Command | Found} */
function runFile(command, path, args) {
  if (NODE_EXTENSION.test(extname(path))) return asProgram(command, path, args);
  const text = readBounded(path);
  const target = readShim(text, path);
  if (target !== null) return { ...command, words: ['node', target, ...args] };
  const words = readShebang(text);
  return /^(node|tsx)$/.test(words[0]) ? { ...command, words: [...words, path, ...args] } : null;
}

/** @param {Command} command @param {string} script @param {string[]} args @returns {Found} */
function asProgram({ words: _, ...rest }, script, args) {
  return { program: { ...rest, script, args } };
}

const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'npx'];
/** The word after it is where the package is. */
const PLACED = /^(npm (--prefix|-C)|pnpm (--dir|-C)|yarn --cwd) /;
const FILTERED = /^pnpm (--filter|-F) /;

/** @param {Command} command @param {string} manager @param {string[]} words after it @returns {Command | Found} */
function openManagerCall(command, manager, words) {
  const line = [manager, ...words].join(' ');
  if (FILTERED.test(line))
    return { reason: `${line} may run several packages (to run one, use pnpm start with --cwd)` };
  const isPlaced = PLACED.test(line);
  const call = readManagerCall(manager, isPlaced ? words.slice(2) : words);
  if (call === null) return { reason: `what ${line} runs is not known` };
  if (manager === 'npx') return inDirectory(command, command.cwd, words);
  const cwd = isPlaced ? resolve(command.cwd, words[1]) : nearestWith(command.cwd, 'package.json');
  // yarn also runs the programs of node_modules/.bin.
  const isMissing = manager !== 'yarn';
  const packageJson = cwd && readPackageJson(cwd);
  if (!packageJson) return { reason: `${line} finds no valid package.json`, isMissing };
  if (manager === 'yarn' && nearestWith(cwd, '.pnp.cjs') !== null) {
    return { reason: "yarn uses Plug'n'Play here, where programs are in archives" };
  }
  const script = scriptLine(packageJson, call.name);
  if (script !== null) return openScript(command, cwd, packageJson, { ...call, script });
  return {
    reason: `there is no script ${JSON.stringify(call.name)} in ${join(cwd, 'package.json')}`,
    isMissing,
  };
}

/**
 * The name of a script, or npx's program, with its arguments.
 * @param {string} manager
 * @param {string[]} words after it
 */
function readManagerCall(manager, words) {
  const isRun = words[0] === 'run' && manager !== 'npx';
  const [name = '-', ...args] = isRun ? words.slice(1) : words;
  // pnpm gives it to the script.
  const dashes = manager === 'pnpm' ? -1 : args.indexOf('--');
  const before = dashes === -1 ? args : args.slice(0, dashes);
  // npm takes what looks like an option itself, until then.
  const own = manager === 'npm' ? [name, ...before] : [name];
  const isKnown = isRun || name === 'start' || manager === 'npx';
  if (!isKnown || own.some((word) => word.startsWith('-'))) return null;
  return { name, args: [...before, ...args.slice(before.length + 1)] };
}

/**
 * @param {Command} command @param {string} cwd @param {PackageJson} packageJson
 * @param {{name: string, script: string, args: string[]}} call @returns {Command | Found}
 */
function openScript(command, cwd, packageJson, { name, script, args }) {
  const file = join(cwd, 'package.json');
  const plain = readPlainCommand(script);
  if ('fault' in plain)
    return { reason: `the script ${JSON.stringify(name)} of ${file} ${plain.fault}` };
  const around = [`pre${name}`, `post${name}`].find((each) => scriptLine(packageJson, each));
  if (around !== undefined) return { reason: `the script "${around}" of ${file} runs too` };
  const { name: ofPackage, version } = packageJson;
  // The variables of npm that programs rely on, not its settings.
  const variables = {
    ...(typeof ofPackage === 'string' && { npm_package_name: ofPackage }),
    ...(typeof version === 'string' && { npm_package_version: version }),
    npm_package_json: file,
    npm_lifecycle_event: name,
    npm_lifecycle_script: script,
    INIT_CWD: command.cwd,
  };
  return {
    ...inDirectory(command, cwd, [...plain.words, ...args]),
    env: { ...command.env, ...variables, ...plain.env },
    lines: [...command.lines, script],
  };
}

/** @param {Command} command @param {string} cwd @param {string[]} words @returns {Command} */
function inDirectory(command, cwd, words) {
  const binDirectories = [...binDirectoriesOf(cwd), ...command.binDirectories];
  return { ...command, words, cwd, binDirectories };
}

/** @param {PackageJson} packageJson @param {string} name of the script @returns {string | null} null: there is none */
export function scriptLine({ scripts }, name) {
  const line = scripts && Object.hasOwn(scripts, name) ? scripts[name] : null;
  return typeof line === 'string' && line.trim() !== '' ? line : null;
}
