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
  readBounded,
} from '../command/locate.js';
import { parseCommandLine, readShebang } from '../command/command-line.js';
import { inspectPath } from '../../shared/files/inspect-path.js';

/**
 * @import { Found, NodeProgram, Opaque } from '../command/find-node-program.js'
 * @import { Spec } from '../spec.js'
 * @import { Settings } from './app.js'
 */

/** Packages that do nothing but start workers, which a worker of ours could not. */
const STARTS_WORKERS =
  /^(throng|recluster|cluster-service|sticky-session|sticky-cluster|@socket\.io\/sticky)$/;

/**
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

/** @param {Lookup} lookup @returns the program, and variables in front of its command; null: a value was rejected */
export function resolveProgram(lookup) {
  const { values, inputOf } = lookup;
  const cwd = findCwd(lookup);
  const found = values.script && findScript(lookup, cwd);
  if (!cwd || !found) return null;
  const { script, env, reason } = found;
  const args = [...found.args, ...(values.args ?? [])];
  const nodeArgs = [...(values.node_args ?? []), ...found.nodeArgs];
  const typed = { script, args, nodeArgs, cwd };
  const behind = findBehind(typed, reason, lookup);
  if (behind && 'program' in behind) {
    return { program: asNodeProgram(behind.program, typed, lookup), env };
  }
  if (behind?.isMissing) {
    inputOf('script').report(behind.reason);
    return null;
  }
  const program = asTyped(typed, behind, lookup);
  return program && { program, env };
}

/** @typedef {Pick<Program, 'script' | 'args' | 'nodeArgs' | 'cwd'>} Typed */

/** @param {Typed} typed @param {string | undefined} reason @param {Lookup} lookup @returns {Found} */
function findBehind({ script, args, nodeArgs, cwd }, reason, { values, searchPath }) {
  // With an interpreter or in fork mode, what was typed is what runs.
  if (values.interpreter !== undefined || values.exec_mode === 'fork') return null;
  if (reason) return { reason };
  if (ownProgram(script)) return null;
  return findNodeProgram({ words: [script, ...args], nodeArgs, cwd }, searchPath);
}

/** @param {Typed} typed @param {Opaque | null} behind @param {Lookup} lookup */
function asTyped(typed, behind, lookup) {
  const modeReason = behind?.reason ?? null;
  const name = findInterpreter(typed.script, modeReason, lookup);
  const execMode = name && resolveExecMode(name, modeReason, lookup);
  if (!execMode) return null;
  // In a cluster, null means the daemon's own Node; in fork mode, that there is no interpreter.
  const interpreter = name === (execMode === 'cluster' ? 'node' : 'none') ? null : name;
  return { ...typed, interpreter, execMode, resolvedFrom: null, modeReason };
}

/** @param {NodeProgram} behind @param {Typed} typed @param {Lookup} lookup @returns {Program} */
function asNodeProgram({ env, binDirectories, lines, ...found }, typed, { values }) {
  const isTyped = isDeepStrictEqual(found, typed);
  const owner = values.exec_mode ? null : dependencyOf(found.script, STARTS_WORKERS);
  return {
    ...found,
    resolvedFrom: isTyped ? null : { ...typed, env, binDirectories, lines },
    interpreter: owner && 'node',
    execMode: owner ? 'fork' : 'cluster',
    modeReason: owner && `${owner} starts workers itself`,
  };
}

/** @param {string} name @param {string} [searchPath] PATH */
export function isCommand(name, searchPath) {
  return !name.includes('/') && locateCommand(name, searchPath) !== null;
}

/** @param {Lookup} lookup */
function findCwd({ values, inputOf, directory }) {
  const cwd = resolve(directory, values.cwd ?? '.');
  const { kind, fault } = inspectPath(cwd);
  if (kind === 'directory') return cwd;
  if (fault === null)
    return inputOf('cwd').reject('a directory that exists', cwd === values.cwd ? '' : cwd);
  return inputOf('cwd').reject('a directory that may be entered', `${cwd}: ${fault}`);
}

/** @param {Lookup} lookup @param {string|undefined} cwd */
function findScript({ values: { script }, inputOf, directory, searchPath }, cwd) {
  const directories = [...new Set([cwd ?? directory, directory])];
  const inspect = (/** @type {string} */ word) =>
    directories.map((each) => resolve(each, word)).map((path) => ({ path, ...inspectPath(path) }));
  // What is here comes before a command.
  const find = (/** @type {string} */ word) => {
    const here = inspect(word)
      .filter(({ kind }) => kind !== null)
      .map(({ path }) => locateMain(path));
    return here.find(Boolean) ?? (isCommand(word, searchPath) ? word : null);
  };
  const whole = ownProgram(script) ? script : find(script);
  if (whole) return { script: whole, args: [], nodeArgs: [], env: {} };
  const line = /\S\s/.test(script) ? parseCommandLine(script, find) : null;
  if (line && !('fault' in line)) return line;
  const places = inspect(script);
  const faulty = places.find(({ fault }) => fault !== null);
  const missing = places.some(({ kind }) => kind === 'directory')
    ? `${script} is a directory without index.js, and no package.json in it names a main file`
    : `there is no ${places.map(({ path }) => path).join(' and no ')}`;
  const note = faulty ? `${faulty.path}: ${faulty.fault}` : (line?.fault ?? missing);
  return inputOf('script').reject('a file that exists or a command in PATH', note);
}

/** @param {string} script @param {string|null} reason @param {Lookup} lookup @returns {string|undefined} `node`: the daemon's */
function findInterpreter(script, reason, { values, inputOf, directory, searchPath }) {
  const { interpreter = interpreterFor(script, reason) } = values;
  const input = inputOf(values.interpreter === undefined ? 'script' : 'interpreter');
  if (interpreter === 'none') {
    const fault = script.includes('/') ? whyNotExecutable(script) : null;
    if (fault === null) return 'none';
    return input.reject('an executable file, or an interpreter that runs it', fault);
  }
  const name = interpreter.includes('/') ? resolve(directory, interpreter) : interpreter;
  const isThere = name.includes('/') ? isExecutable(name) : isCommand(name, searchPath);
  if (name === 'node' || isThere) return name;
  return input.report(
    `${name}, which runs it, is neither an executable file nor a command in PATH`,
  );
}

/** @param {string} script @param {string|null} reason */
function interpreterFor(script, reason) {
  if (NODE_EXTENSION.test(extname(script))) return 'node';
  const isFile = script.includes('/') && extname(script) === '';
  const isRunByNode =
    ownProgram(script) || (isFile && isDeepStrictEqual(readShebang(readBounded(script)), ['node']));
  // A launcher is not the Node program that it starts.
  if (reason === null && isRunByNode) return 'node';
  return INTERPRETERS[extname(script)] ?? 'none';
}

/** @param {string} path */
function whyNotExecutable(path) {
  if (!isExecutable(path)) return `${path} is not executable`;
  // With a line end of Windows, its last character is a carriage return.
  const [, interpreter] = /^#![ \t]*(\/[^ \t\n]*)/.exec(readBounded(path)) ?? [];
  if (interpreter === undefined || inspectPath(interpreter).kind !== null) return null;
  return `its first line names ${JSON.stringify(interpreter)}, which does not exist`;
}

/** @param {string} interpreter @param {string|null} reason @param {Lookup} lookup @returns {'cluster'|'fork'|undefined} */
function resolveExecMode(interpreter, reason, { values, inputOf }) {
  const canBeCluster = isNode(interpreter) && reason === null;
  if (canBeCluster || values.exec_mode !== 'cluster') {
    return values.exec_mode ?? (canBeCluster ? 'cluster' : 'fork');
  }
  const runs = reason ?? (interpreter === 'none' ? 'it runs by itself' : `${interpreter} runs it`);
  return inputOf('exec_mode').reject('fork', `cluster is for scripts that Node runs; ${runs}`);
}
