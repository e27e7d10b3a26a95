/** Reads the variables that the sources of an app give. */
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { describeExit } from '../../lifecycle/exit.js';
import { within } from '../../shared/deadline.js';
import { parseVariables, whyReserved } from '../../shared/env-lines.js';
import { runBounded } from '../../shared/processes/bounded-command.js';
import { shellWord } from '../../shared/quoting.js';
import { maskCommand } from '../../shared/secrets.js';
import { formatSize } from '../../shared/units.js';

/**
 * @import { VariableSource } from './record.js'
 *
 * @typedef {object} Context of the program
 * @property {string} cwd
 * @property {Record<string, string>} env
 * @property {string} instanceVar
 * @property {AbortSignal} signal nobody needs the variables any more: a command is killed
 */

/** Bytes of one variable on Linux: MAX_ARG_STRLEN. */
const MAX_STRING = 128 * 1024;
/** Of all variables. It takes 2 MB with the arguments and the rest of the environment. */
const MAX_TOTAL_BYTES = 1024 * 1024;
/** ms after its deadline until a command is killed: two timers of one length would race for what is said. */
const KILL_MS = 100;
const MAX_FILES = 1000;
/** At the end of what is the value of one variable. */
const BREAK = /\r?\n$/;

/**
 * Throws which source failed and why, never a value.
 * @param {readonly VariableSource[]} sources
 * @param {Context} context
 * @returns {Promise<Record<string, {value: string, from: string}>>} by name; from: `env_from ./db`
 */
export async function readSources(sources, context) {
  const all = await Promise.all(sources.map((source) => readInTime(source, context)));
  let rest = MAX_TOTAL_BYTES;
  const read = all.flatMap((variables, index) => {
    const from = sourceName(sources[index]);
    const entries = Object.entries(variables);
    for (const entry of entries) rest -= bytesOf(entry);
    if (rest < 0) {
      throw new Error(
        `${from}: the variables are larger than ${formatSize(MAX_TOTAL_BYTES)} with it`,
      );
    }
    return entries.map(([name, value]) => [name, { value, from }]);
  });
  return Object.fromEntries(read);
}

/** @param {VariableSource} source without arguments, which may contain secrets */
function sourceName({ file, directory, command }) {
  return `env_from ${file ?? directory ?? command?.[0]}`;
}

/** @param {VariableSource} source @param {Context} context */
async function readInTime(source, context) {
  const name = sourceName(source);
  try {
    const variables = await within(variablesOf(source, context), source.timeoutMs);
    if (variables !== null) return checked(variables, context);
  } catch (error) {
    throw new Error(`${name}: ${/** @type {Error} */ (error).message}`, { cause: error });
  }
  throw new Error(`${name}: no result within ${source.timeoutMs / 1000} s`);
}

/** @param {VariableSource} source @param {Context} context @returns {Promise<Record<string, string>>} */
async function variablesOf({ file, directory, command, as, timeoutMs }, context) {
  if (command !== null) {
    const output = await outputOf(command, context, timeoutMs);
    if (as !== null) return { [as]: output.replace(BREAK, '') };
    const parsed = parseVariables(output, 'line ');
    if ('fault' in parsed) throw new Error(parsed.fault);
    return parsed.values;
  }
  if (file !== null) return { [String(as)]: await valueIn(placeOf(file, context)) };
  return variablesIn(placeOf(String(directory), context));
}

/** @param {string} directory @returns {Promise<Record<string, string>>} */
async function variablesIn(directory) {
  const entries = await readdir(directory, { withFileTypes: true }).catch(explain);
  // Kubernetes has links to a hidden directory there, which it replaces as a whole.
  const names = entries
    .filter((entry) => !entry.name.startsWith('.') && !entry.isDirectory())
    .map(({ name }) => name);
  if (names.length > MAX_FILES) throw new Error(`it has more than ${MAX_FILES} files`);
  const variables = names.map(variableOf);
  const twin = variables.find((variable, at) => variables.indexOf(variable) < at);
  if (twin) throw new Error(`two of its files would both become ${twin}`);
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
    if (stats.size > MAX_STRING) throw new Error(`it is larger than ${formatSize(MAX_STRING)}`);
    return (await handle.readFile('utf8')).replace(BREAK, '');
  } finally {
    await handle.close();
  }
}

/** @param {string[]} command @param {Context} context @param {number} timeoutMs @returns {Promise<string>} its stdout */
async function outputOf(command, { signal: ended, ...context }, timeoutMs) {
  const limits = { timeoutMs: timeoutMs + KILL_MS, ended, maxStdout: MAX_TOTAL_BYTES };
  const { exit, excess, stdout } = await runBounded(command, context, limits);
  if (excess !== null || exit.error !== null) throw new Error(`it ${excess ?? describeExit(exit)}`);
  if (exit.code === 0) return stdout;
  // What it wrote may contain secrets.
  const line = `cd ${shellWord(context.cwd)} && ${maskCommand(command)}`;
  throw new Error(`it ${describeExit(exit)}. To see why: ${line}`);
}

/** @param {Record<string, string>} variables of one source @param {Context} context */
function checked(variables, { env, instanceVar }) {
  const entries = Object.entries(variables);
  if (entries.length === 0) throw new Error('it is empty');
  for (const [name, value] of entries) {
    const reason = name === instanceVar ? `${name} is the instance_var` : whyReserved(name);
    // A command may print all that it was given.
    if (reason !== null && env[name] !== value) throw new Error(reason);
    // What rotates a secret may truncate it first.
    if (value === '') throw new Error(`${name} is empty`);
    if (value.includes('\0')) {
      throw new Error(`${name} contains a zero byte, which no variable can have`);
    }
    if (value.includes('\uFFFD')) throw new Error(`${name} is not text in UTF-8`);
    if (bytesOf([name, value]) > MAX_STRING) {
      throw new Error(`${name} is larger than ${formatSize(MAX_STRING)}`);
    }
  }
  return variables;
}

/** @param {[name: string, value: string]} variable as a program gets it: `NAME=value` and a zero byte */
function bytesOf([name, value]) {
  return Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
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
