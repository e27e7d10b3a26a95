/** Reads the variables that the sources of an app give. */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseVariables } from '../../shared/env-lines.js';
import { within } from '../../shared/deadline.js';
import { formatSize } from '../../shared/units.js';

/**
 * @import { Variables } from '../../protocol/methods.js'
 * @import { VariableSource } from './record.js'
 *
 * @typedef {object} Context of the program
 * @property {string} cwd
 * @property {Record<string, string>} env
 * @property {AbortSignal} [signal] nobody needs the variables any more: a command is killed
 */

/** Of one variable: execve(2) takes no more, MAX_ARG_STRLEN. */
const MAX_VALUE_BYTES = 128 * 1024;
const MAX_OUTPUT_BYTES = 1024 * 1024;
/** Files of a directory. */
const MAX_FILES = 1000;

/**
 * @param {readonly VariableSource[]} sources
 * @param {Context} context
 * @returns {Promise<Record<string, string>>} of later sources before earlier ones
 * @throws {Error} which source failed and why, never a value
 */
export async function readSources(sources, context) {
  const read = await Promise.all(sources.map((source) => readInTime(source, context)));
  return Object.assign({}, ...read);
}

/** @param {VariableSource} source @param {Context} context */
async function readInTime(source, context) {
  const name = source.file ?? source.directory ?? source.command?.[0];
  try {
    const variables = await within(variablesOf(source, context), source.timeoutMs);
    if (variables !== null) return variables;
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new Error(`env_from ${name}: ${message}`, { cause: error });
  }
  throw new Error(`env_from ${name}: no result within ${source.timeoutMs / 1000} s`);
}

/** @param {VariableSource} source @param {Context} context @returns {Promise<Variables>} */
async function variablesOf({ file, directory, command, as, timeoutMs }, context) {
  if (command !== null) {
    const output = await outputOf(command, context, timeoutMs);
    return as === null ? linesOf(output) : { [as]: checked(withoutBreak(output)) };
  }
  if (file !== null) return { [String(as)]: await valueIn(placeOf(file, context)) };
  return variablesIn(placeOf(String(directory), context));
}

/** @param {string} directory @returns {Promise<Variables>} */
async function variablesIn(directory) {
  const entries = await readdir(directory, { withFileTypes: true }).catch(explain);
  // Kubernetes has links to a hidden directory there, which it replaces as a whole.
  const names = entries
    .filter((entry) => !entry.name.startsWith('.') && !entry.isDirectory())
    .map(({ name }) => name);
  if (names.length > MAX_FILES) throw new Error(`it has more than ${MAX_FILES} files`);
  const read = names.map(async (name) => [
    variableOf(name),
    await valueIn(path.join(directory, name)).catch(({ message }) => {
      throw new Error(`${name}: ${message}`);
    }),
  ]);
  return Object.fromEntries(await Promise.all(read));
}

/** @param {string} name of a file: `db-password` */
function variableOf(name) {
  const variable = name.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
  return /^\d/.test(variable) ? `_${variable}` : variable;
}

/** @param {string} file */
async function valueIn(file) {
  // A pipe without a writer would otherwise keep a thread forever.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(explain);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size > MAX_VALUE_BYTES) {
      throw new Error(`it is larger than ${formatSize(MAX_VALUE_BYTES)}`);
    }
    return checked(withoutBreak(await handle.readFile('utf8')));
  } finally {
    await handle.close();
  }
}

/** @param {readonly string[]} command @param {Context} context @param {number} timeout ms */
async function outputOf([file, ...args], context, timeout) {
  try {
    const { stdout } = await promisify(execFile)(file, args, {
      ...context,
      timeout,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } catch (error) {
    const { code, signal, killed } = /** @type {any} */ (error);
    if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
      throw new Error(`it printed more than ${formatSize(MAX_OUTPUT_BYTES)}`, { cause: error });
    }
    if (killed) throw new Error(`no result within ${timeout / 1000} s`, { cause: error });
    // Its message would have what the command printed.
    if (typeof code === 'number') throw new Error(`it exited with ${code}`, { cause: error });
    throw new Error(signal ? `it was ended by ${signal}` : `it could not be started (${code})`, {
      cause: error,
    });
  }
}

/** @param {string} output */
function linesOf(output) {
  const parsed = parseVariables(output, 'line ');
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed.values;
}

/** @param {string} value */
function withoutBreak(value) {
  return value.replace(/\r?\n$/, '');
}

/** @param {string} value */
function checked(value) {
  if (value.includes('\0')) throw new Error('it contains a zero byte, which no variable can have');
  return value;
}

/** @param {string} written @param {Context} context */
function placeOf(written, { cwd, env }) {
  const expanded = written.replace(/^\$(?:\{(\w+)\}|(\w+))/, (_all, braced, plain) => {
    const name = braced ?? plain;
    if (env[name]) return env[name];
    throw new Error(`the app has no variable ${name}`);
  });
  return path.resolve(cwd, expanded);
}

const REASONS = new Map([
  ['ENOENT', 'it does not exist'],
  ['EACCES', 'permission denied'],
  ['ENOTDIR', 'it is not a directory'],
]);

/** @param {NodeJS.ErrnoException} error @returns {never} */
function explain(error) {
  throw new Error(REASONS.get(error.code ?? '') ?? String(error.code), { cause: error });
}
