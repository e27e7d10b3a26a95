/** What runs, where, and by what: script, cwd, interpreter and exec_mode looked up on disk. */
import { accessSync, constants } from 'node:fs';
import { basename, delimiter, extname, join, resolve } from 'node:path';
import { inspectPath } from '../file/inspect-path.js';

/** @import { ConfigValue } from '../file/config-value.js' */

/** @typedef {{name: string|null, isNode: boolean}} Interpreter */

/** @type {Record<string, string>} */
const INTERPRETERS = {
  '.py': 'python3',
  '.sh': 'bash',
  '.php': 'php',
  '.rb': 'ruby',
  '.pl': 'perl',
};
const NODE_EXTENSION = /^\.[cm]?[jt]s$/;

/**
 * @param {object} wanted
 * @param {Record<string, any>} wanted.values read values by option key; undefined where refused
 * @param {(key: string) => ConfigValue} wanted.inputOf
 * @param {string} wanted.directory what relative paths start from
 * @param {string} wanted.searchPath PATH of the app
 * @returns {{script: string, cwd: string, interpreter: string|null, execMode: 'cluster'|'fork'} | null}
 *   null after a refusal
 */
export function resolveProgram({ values, inputOf, directory, searchPath }) {
  const cwd = findCwd(values.cwd, inputOf('cwd'), directory);
  const script =
    values.script && findScript(values.script, inputOf('script'), [cwd, directory], searchPath);
  if (!cwd || !script) return null;
  const interpreter = findInterpreter(script, values.interpreter, {
    inputOf,
    directory,
    searchPath,
  });
  if (!interpreter) return null;
  const execMode = values.exec_mode ?? (interpreter.isNode ? 'cluster' : 'fork');
  if (execMode === 'cluster' && !interpreter.isNode) {
    const runs = interpreter.name ? `${interpreter.name} runs it` : 'it runs by itself';
    return (
      inputOf('exec_mode').reject('fork', `cluster is for scripts that Node runs; ${runs}`) ?? null
    );
  }
  return { script, cwd, interpreter: commandFor(interpreter, execMode), execMode };
}

/**
 * @param {string|undefined} wanted
 * @param {ConfigValue} input
 * @param {string} directory
 */
function findCwd(wanted, input, directory) {
  const cwd = resolve(directory, wanted ?? '.');
  const { kind, fault } = inspectPath(cwd);
  if (kind === 'directory') return cwd;
  if (fault === null) return input.reject('a directory that exists', cwd);
  return input.reject('a directory that may be entered', `${cwd}: ${fault}`);
}

/**
 * @param {string} wanted
 * @param {ConfigValue} input
 * @param {(string|undefined)[]} directories
 * @param {string} searchPath
 * @returns {string|undefined}
 */
function findScript(wanted, input, directories, searchPath) {
  const paths = directories.flatMap((directory) => (directory ? [resolve(directory, wanted)] : []));
  const file = paths.find((path) => inspectPath(path).kind === 'file');
  if (file) return file;
  if (isCommand(wanted, searchPath)) return wanted;
  const blank = /^(\S+)\s/.exec(wanted);
  const note = blank ? 'arguments go into args' : whyNoFile([...new Set(paths)]);
  return input.reject('a file that exists or a command in PATH', note);
}

/** @param {string[]} paths none of which is a file */
function whyNoFile(paths) {
  const path = paths.find((each) => inspectPath(each).fault !== null);
  return path ? `${path}: ${inspectPath(path).fault}` : `there is no ${paths.join(' and no ')}`;
}

/**
 * @param {string} script
 * @param {string|undefined} wanted
 * @param {{inputOf: (key: string) => ConfigValue, directory: string, searchPath: string}} context
 * @returns {Interpreter|undefined}
 */
function findInterpreter(script, wanted, { inputOf, directory, searchPath }) {
  if (wanted === undefined) return interpreterOf(script, inputOf('script'), searchPath);
  if (wanted === 'none') return ownInterpreter(script, inputOf('interpreter'));
  const isNode = /^node(js)?\d*$/.test(basename(wanted));
  if (wanted === 'node') return { name: null, isNode };
  const name = wanted.includes('/') ? resolve(directory, wanted) : wanted;
  if (isExecutable(name) || isCommand(name, searchPath)) return { name, isNode };
  return inputOf('interpreter').reject('a command in PATH or the path of a program');
}

/**
 * @param {string} script
 * @param {ConfigValue} input
 * @param {string} searchPath
 * @returns {Interpreter|undefined}
 */
function interpreterOf(script, input, searchPath) {
  const extension = extname(script);
  if (NODE_EXTENSION.test(extension)) return { name: null, isNode: true };
  const name = INTERPRETERS[extension];
  if (!name) return ownInterpreter(script, input);
  if (isCommand(name, searchPath)) return { name, isNode: false };
  return input.reject(
    `a program that can run here`,
    `${name}, which runs ${extension}, is not in PATH`,
  );
}

/**
 * @param {string} script
 * @param {ConfigValue} input
 * @returns {Interpreter|undefined}
 */
function ownInterpreter(script, input) {
  if (!script.includes('/') || isExecutable(script)) return { name: null, isNode: false };
  return input.reject(
    'an executable file, or an interpreter that runs it',
    `${script} is not executable`,
  );
}

/**
 * In a cluster null is the daemon's own Node; in fork mode it would be nothing at all.
 * @param {Interpreter} interpreter
 * @param {'cluster'|'fork'} execMode
 */
function commandFor({ name, isNode }, execMode) {
  return name ?? (isNode && execMode === 'fork' ? 'node' : null);
}

/**
 * @param {string} name
 * @param {string} searchPath PATH
 * @returns {boolean} whether the system finds a program of that name
 */
export function isCommand(name, searchPath) {
  if (name.includes('/')) return false;
  return searchPath
    .split(delimiter)
    .some((directory) => directory && isExecutable(join(directory, name)));
}

/** @param {string} path */
function isExecutable(path) {
  if (inspectPath(path).kind !== 'file') return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
