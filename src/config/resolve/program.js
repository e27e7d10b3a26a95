/** What runs, where, and by what: script, cwd, interpreter and exec_mode looked up on disk. */
import { accessSync, constants } from 'node:fs';
import { basename, delimiter, extname, join, resolve } from 'node:path';
import { lookAt } from '../file/path-kind.js';

/** @import { Place } from '../file/position.js' */

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
 * @param {(key: string) => Place} wanted.placeOf
 * @param {string} wanted.folder what relative paths start from
 * @param {string} wanted.searchPath PATH of the app
 * @returns {{script: string, cwd: string, interpreter: string|null, execMode: 'cluster'|'fork'} | null}
 *   null after a refusal
 */
export function resolveProgram({ values, placeOf, folder, searchPath }) {
  const cwd = findCwd(values.cwd, placeOf('cwd'), folder);
  const script =
    values.script && findScript(values.script, placeOf('script'), [cwd, folder], searchPath);
  if (!cwd || !script) return null;
  const interpreter = findInterpreter(script, values.interpreter, { placeOf, folder, searchPath });
  if (!interpreter) return null;
  const execMode = values.exec_mode ?? (interpreter.isNode ? 'cluster' : 'fork');
  if (execMode === 'cluster' && !interpreter.isNode) {
    const runs = interpreter.name ? `${interpreter.name} runs it` : 'it runs by itself';
    return (
      placeOf('exec_mode').refuse('fork', `cluster is for scripts that Node runs; ${runs}`) ?? null
    );
  }
  return { script, cwd, interpreter: commandFor(interpreter, execMode), execMode };
}

/**
 * @param {string|undefined} wanted
 * @param {Place} place
 * @param {string} folder
 */
function findCwd(wanted, place, folder) {
  const cwd = resolve(folder, wanted ?? '.');
  const { kind, fault } = lookAt(cwd);
  if (kind === 'folder') return cwd;
  if (fault === null) return place.refuse('a folder that exists', cwd);
  return place.refuse('a folder that may be entered', `${cwd}: ${fault}`);
}

/**
 * @param {string} wanted
 * @param {Place} place
 * @param {(string|undefined)[]} folders
 * @param {string} searchPath
 * @returns {string|undefined}
 */
function findScript(wanted, place, folders, searchPath) {
  const paths = folders.flatMap((folder) => (folder ? [resolve(folder, wanted)] : []));
  const file = paths.find((path) => lookAt(path).kind === 'file');
  if (file) return file;
  if (isCommand(wanted, searchPath)) return wanted;
  const blank = /^(\S+)\s/.exec(wanted);
  const note = blank ? 'arguments go into args' : whyNoFile([...new Set(paths)]);
  return place.refuse('a file that exists or a command in PATH', note);
}

/** @param {string[]} paths none of which is a file */
function whyNoFile(paths) {
  const path = paths.find((each) => lookAt(each).fault !== null);
  return path ? `${path}: ${lookAt(path).fault}` : `there is no ${paths.join(' and no ')}`;
}

/**
 * @param {string} script
 * @param {string|undefined} wanted
 * @param {{placeOf: (key: string) => Place, folder: string, searchPath: string}} context
 * @returns {Interpreter|undefined}
 */
function findInterpreter(script, wanted, { placeOf, folder, searchPath }) {
  if (wanted === undefined) return interpreterOf(script, placeOf('script'), searchPath);
  if (wanted === 'none') return ownInterpreter(script, placeOf('interpreter'));
  const isNode = /^node(js)?\d*$/.test(basename(wanted));
  if (wanted === 'node') return { name: null, isNode };
  const name = wanted.includes('/') ? resolve(folder, wanted) : wanted;
  if (isExecutable(name) || isCommand(name, searchPath)) return { name, isNode };
  return placeOf('interpreter').refuse('a command in PATH or the path of a program');
}

/**
 * @param {string} script
 * @param {Place} place
 * @param {string} searchPath
 * @returns {Interpreter|undefined}
 */
function interpreterOf(script, place, searchPath) {
  const extension = extname(script);
  if (NODE_EXTENSION.test(extension)) return { name: null, isNode: true };
  const name = INTERPRETERS[extension];
  if (!name) return ownInterpreter(script, place);
  if (isCommand(name, searchPath)) return { name, isNode: false };
  return place.refuse(
    `a program that can run here`,
    `${name}, which runs ${extension}, is not in PATH`,
  );
}

/**
 * @param {string} script
 * @param {Place} place
 * @returns {Interpreter|undefined}
 */
function ownInterpreter(script, place) {
  if (!script.includes('/') || isExecutable(script)) return { name: null, isNode: false };
  return place.refuse(
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
  return searchPath.split(delimiter).some((folder) => folder && isExecutable(join(folder, name)));
}

/** @param {string} path */
function isExecutable(path) {
  if (lookAt(path).kind !== 'file') return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
