/** Looks up on disk what runs, where and how: script, cwd, interpreter and exec_mode. */
import { extname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isNode, ownProgram } from '../../shared/package/root.js';
import { findNodeProgram } from '../command/find-node-program.js';
import {
  NODE_EXTENSION,
  dependencyOf,
  isExecutable,
  locateCommand,
  locateMain,
  readStart,
} from '../command/locate.js';
import { parseCommandLine, readShebang } from '../command/node-start.js';
import { inspectPath, resolveFrom } from '../../shared/files/inspect-path.js';

/**
 * @import { NodeProgram, Opaque } from '../command/find-node-program.js'
 * @import { CommandLine } from '../command/node-start.js'
 * @import { ConfigValue } from '../file/config-value.js'
 * @import { Spec } from '../spec.js'
 * @import { Settings } from './app.js'
 */

/** Packages that do nothing but start workers, which a worker of ours could not. */
const STARTS_WORKERS =
  /^(throng|recluster|cluster-service|sticky-session|sticky-cluster|@socket\.io\/sticky)$/;

/**
 * @typedef {{name: string|null, isNode: boolean}} Interpreter
 *
 * @typedef {Pick<Settings, 'values' | 'inputOf'> & {directory: string, searchPath: string}} Lookup `directory`: what
 *   relative paths start from; `searchPath`: PATH of the app
 *
 * @typedef {Pick<Spec, 'script' | 'args' | 'nodeArgs' | 'cwd' | 'interpreter' | 'execMode'
 *   | 'resolvedFrom' | 'modeReason'>} Program
 */

/** @type {Record<string, string>} */
const INTERPRETERS = {
  '.py': 'python3',
  '.sh': 'bash',
  '.php': 'php',
  '.rb': 'ruby',
  '.pl': 'perl',
};

/**
 * @param {Lookup} lookup
 * @returns the program, and variables in front of its command; null: a value was rejected
 */
export function resolveProgram(lookup) {
  const cwd = findCwd(lookup);
  const found = lookup.values.script && findScript(lookup, cwd);
  if (!cwd || !found) return null;
  const { script, env, reason } = found;
  const args = [...found.args, ...(lookup.values.args ?? [])];
  const nodeArgs = [...(lookup.values.node_args ?? []), ...found.nodeArgs];
  const typed = { script, args, nodeArgs, cwd };
  const behind = findBehind(typed, reason, lookup);
  if (behind && 'isMissing' in behind) {
    lookup.inputOf('script').report(behind.reason);
    return null;
  }
  const resolved =
    behind && 'program' in behind
      ? asNodeProgram(behind.program, typed, lookup)
      : asTyped(typed, behind, lookup);
  return resolved && { program: resolved, env };
}

/** @typedef {Pick<Program, 'script' | 'args' | 'nodeArgs' | 'cwd'>} Typed */

/** @param {Typed} typed @param {Opaque | null} behind @param {Lookup} lookup */
function asTyped(typed, behind, lookup) {
  const { script } = typed;
  const reason = behind?.reason ?? null;
  const interpreter = findInterpreter(script, reason, lookup);
  const execMode = interpreter && resolveExecMode(interpreter, reason, lookup);
  if (!execMode) return null;
  // In a cluster, null means the daemon's own Node; in fork mode, that there is no interpreter.
  const ownNode = interpreter.isNode && execMode === 'fork' ? 'node' : null;
  const name = interpreter.name ?? ownNode;
  const how = { interpreter: name, execMode, resolvedFrom: null, modeReason: reason };
  return { ...typed, ...how };
}

/** @param {Typed} typed @param {string | undefined} reason @param {Lookup} lookup */
function findBehind({ script, args, nodeArgs, cwd }, reason, { values, searchPath }) {
  // With an interpreter or in fork mode, what was typed is what runs.
  if (values.interpreter !== undefined || values.exec_mode === 'fork') return null;
  if (reason) return { reason };
  if (ownProgram(script)) return null;
  return findNodeProgram({ words: [script, ...args], nodeArgs, cwd }, searchPath);
}

/** @param {NodeProgram} behind @param {Typed} typed @param {Lookup} lookup */
function asNodeProgram({ env, binDirectories, lines, ...found }, typed, { values }) {
  const isTyped = isDeepStrictEqual(found, typed);
  const resolvedFrom = isTyped ? null : { ...typed, env, binDirectories, lines };
  const owner = values.exec_mode ? null : dependencyOf(found.script, STARTS_WORKERS);
  /** @type {Pick<Program, 'interpreter' | 'execMode' | 'modeReason'>} */
  const how =
    owner === null
      ? { interpreter: null, execMode: 'cluster', modeReason: null }
      : { interpreter: 'node', execMode: 'fork', modeReason: `${owner} starts workers itself` };
  return { ...found, resolvedFrom, ...how };
}

/** @param {string} name @param {string} [searchPath] PATH */
export function isCommand(name, searchPath) {
  return !name.includes('/') && locateCommand(name, searchPath) !== null;
}

/** @param {Lookup} lookup */
function findCwd({ values, inputOf, directory }) {
  const cwd = resolveFrom(directory, values.cwd ?? '.', true);
  const { kind, fault } = inspectPath(cwd);
  if (kind === 'directory') return cwd;
  if (fault === null)
    return inputOf('cwd').reject('a directory that exists', cwd === values.cwd ? '' : cwd);
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
  const isDirectory = inspect(script).some(({ kind }) => kind === 'directory');
  // What is here comes before a command.
  const whole = ownProgram(script)
    ? script
    : isDirectory
      ? findMain(inspect(script))
      : find(script);
  if (whole !== null) return { script: whole, args: [], nodeArgs: [], env: {} };
  const line = /\S\s/.test(script) ? parseCommandLine(script, find) : null;
  if (line && !('fault' in line)) return line;
  const paths = inspect(script);
  const faulty = paths.find(({ fault }) => fault !== null);
  const missing = isDirectory
    ? `${script} is a directory without index.js, and no package.json in it names a main file`
    : `there is no ${paths.map(({ path }) => path).join(' and no ')}`;
  const note = faulty ? `${faulty.path}: ${faulty.fault}` : (line?.fault ?? missing);
  return inputOf('script').reject('a file that exists or a command in PATH', note);
}

/** @param {{path: string}[]} places @returns {string | null} the file that Node would run there */
function findMain(places) {
  return places.map(({ path }) => locateMain(path)).find((main) => main !== null) ?? null;
}

/** @param {string} script @param {string|null} reason @param {Lookup} lookup @returns {Interpreter|undefined} */
function findInterpreter(script, reason, lookup) {
  const { inputOf, directory, searchPath } = lookup;
  const { interpreter } = lookup.values;
  // A launcher is not the Node program that it starts.
  if (interpreter === undefined && reason !== null && extname(script) === '') {
    return withoutInterpreter(script, inputOf('script'));
  }
  if (interpreter === undefined) return interpreterFor(script, inputOf('script'), searchPath);
  if (interpreter === 'none') return withoutInterpreter(script, inputOf('interpreter'));
  if (interpreter === 'node') return { name: null, isNode: true };
  const name = interpreter.includes('/') ? resolve(directory, interpreter) : interpreter;
  if (!isExecutable(name) && !isCommand(name, searchPath)) {
    return inputOf('interpreter').reject('a command in PATH or the path of a program');
  }
  return { name, isNode: isNode(name) };
}

/** @param {string} script @param {ConfigValue} input @param {string} searchPath */
function interpreterFor(script, input, searchPath) {
  const extension = extname(script);
  if (NODE_EXTENSION.test(extension) || isRunByNode(script)) return { name: null, isNode: true };
  const name = INTERPRETERS[extension];
  if (name === undefined) return withoutInterpreter(script, input);
  if (isCommand(name, searchPath)) return { name, isNode: false };
  const note = `${name}, which runs ${extension}, is not in PATH`;
  return input.reject('a program that can run here', note);
}

/** @param {string} script */
function isRunByNode(script) {
  if (ownProgram(script)) return true;
  if (!script.includes('/') || extname(script) !== '') return false;
  return isDeepStrictEqual(readShebang(readStart(script)), ['node']);
}

/** @param {string} script @param {ConfigValue} input @returns {Interpreter|undefined} */
function withoutInterpreter(script, input) {
  const fault = script.includes('/') ? whyNotExecutable(script) : null;
  if (fault === null) return { name: null, isNode: false };
  return input.reject('an executable file, or an interpreter that runs it', fault);
}

/** @param {string} path */
function whyNotExecutable(path) {
  if (!isExecutable(path)) return `${path} is not executable`;
  // With a line end of Windows, its last character is a carriage return.
  const [, interpreter] = /^#![ \t]*(\/[^ \t\n]*)/.exec(readStart(path)) ?? [];
  if (interpreter === undefined || inspectPath(interpreter).kind !== null) return null;
  return `its first line names ${JSON.stringify(interpreter)}, which does not exist`;
}

/** @param {Interpreter} interpreter @param {string|null} reason @param {Lookup} lookup @returns {'cluster'|'fork'|undefined} */
function resolveExecMode({ name, isNode }, reason, { values, inputOf }) {
  const canBeCluster = isNode && reason === null;
  if (canBeCluster || values.exec_mode !== 'cluster') {
    return values.exec_mode ?? (canBeCluster ? 'cluster' : 'fork');
  }
  const runs = reason ?? (name ? `${name} runs it` : 'it runs by itself');
  return inputOf('exec_mode').reject('fork', `cluster is for scripts that Node runs; ${runs}`);
}
