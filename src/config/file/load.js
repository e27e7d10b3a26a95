/** Finds and reads an ecosystem file: YAML, JSON, JavaScript, TypeScript or standard input. */
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { NodeclusterError } from '../../errors/error.js';
import { listDirectory, workingDirectory } from '../../shared/files/inspect-path.js';
import { readSmallFile } from '../../shared/files/small-file.js';
import { nearest } from '../spelling.js';

/**
 * @import { SourceOptions } from './config-value.js'
 *
 * @typedef {{value: unknown} & Pick<SourceOptions, 'locate'>} ParsedText
 * @typedef {ParsedText & {label: string, file: string | null, directory: string}} ConfigDocument `label`: how messages
 *   name it; `file`: absolute path, null for standard input; `directory`: what relative paths start from
 */

/** In order of preference. */
export const ECOSYSTEM_FILES = Object.freeze([
  'ecosystem.yml',
  'ecosystem.yaml',
  'ecosystem.json',
  'ecosystem.config.js',
  'ecosystem.config.cjs',
  'ecosystem.config.mjs',
  'ecosystem.config.ts',
  'ecosystem.config.mts',
  'ecosystem.config.cts',
]);

/**
 * @param {string} path a file, or '-' for standard input
 * @param {{stdin?: AsyncIterable<Buffer|string>, cwd?: string}} [options]
 * @throws {NodeclusterError} E_CONFIG_UNREADABLE, _EMPTY, _SYNTAX, _SCRIPT_FAILED
 */
export async function loadFile(path, { stdin = process.stdin, cwd = workingDirectory() } = {}) {
  const file = path === '-' ? null : resolve(cwd, path);
  const label = file ? path : 'standard input';
  const text = file ? readFile(file, label) : await readStream(stdin, label);
  if (text.includes('\ufffd')) throw unreadable(label, 'it is not UTF-8', 'Save it as UTF-8.');
  const parsed = text.trim() === '' ? { value: {} } : await parse(text, label, file);
  if (isDeepStrictEqual(parsed.value ?? {}, {})) {
    throw new NodeclusterError('E_CONFIG_EMPTY', { file: label });
  }
  return { ...parsed, label, file, directory: file ? dirname(file) : cwd };
}

/** @param {string} directory @returns {string|null} the name of the ecosystem file in it */
export function findEcosystemFile(directory) {
  return ECOSYSTEM_FILES.find((name) => existsSync(join(directory, name))) ?? null;
}

/** @param {string} argument of `start` @returns {boolean} whether it names an ecosystem file rather than a program or an app */
export function isEcosystemFile(argument) {
  return argument === '-' || /\.(ya?ml|json5?|config\.[cm]?[jt]s)$/.test(argument);
}

/** @param {string} text @param {string} label @param {string|null} file */
async function parse(text, label, file) {
  // Each reader is loaded on its first use: most commands need none, and yaml alone takes 40 ms.
  const extension = file ? extname(file) : '';
  if (!/^\.[cm]?[jt]s$/.test(extension)) {
    const language = /^\.json5?$/.test(extension) ? 'JSON' : 'YAML';
    return (await import('./load-yaml.js')).parseText(text, label, language);
  }
  // @types/node of the oldest Node does not have it.
  if (extension.endsWith('ts') && !(/** @type {any} */ (process.features).typescript)) {
    throw unreadable(label, 'this version of Node does not run TypeScript; 22.18 and later do');
  }
  const { runScript } = await import('./load-script.js');
  return { value: await runScript(String(file), text, label) };
}

/** A hundred apps with long environments take about 100 KB. */
const MAX_BYTES = 512 * 1024;

/** @param {string} path @param {string} label @throws {NodeclusterError} E_CONFIG_UNREADABLE */
function readFile(path, label) {
  try {
    return readSmallFile(path, MAX_BYTES);
  } catch (error) {
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (!['ENOENT', 'ENOTDIR'].includes(code)) {
      throw unreadable(label, code === 'EACCES' ? 'permission denied' : message);
    }
    const meant = nearest(basename(path), listDirectory(dirname(path)));
    const init = 'Check the path, or create an ecosystem.yml with `nodecluster init`.';
    throw unreadable(label, 'it does not exist', meant ? `Did you mean ${meant}?` : init);
  }
}

/** @param {AsyncIterable<Buffer|string>} stream @param {string} label @throws {NodeclusterError} E_CONFIG_UNREADABLE */
async function readStream(stream, label) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_BYTES) throw unreadable(label, 'it is larger than 512K');
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks).toString();
}

/** @param {string} file @param {string} reason @param {string} [advice] */
function unreadable(file, reason, advice) {
  return new NodeclusterError('E_CONFIG_UNREADABLE', { file, reason, advice });
}
