/** Finds and reads an ecosystem file: YAML, JSON, JavaScript or standard input. */
import { access } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { parseJson } from './load-json.js';
import { runScript } from './load-script.js';
import { parseYaml } from './load-yaml.js';
import { readBounded, readStream } from './read-bounded.js';
import { workingFolder } from '../resolve/working-directory.js';

/** @import { Path } from './position.js' */

/**
 * @typedef {object} ParsedText
 * @property {unknown} value
 * @property {(path: Path, what?: 'key'|'value') => {line: number, column: number}|null} locate
 * @property {(path: Path) => string|null} written the text of a value that is not quoted (1.10, 007)
 */
/**
 * @typedef {ParsedText & {source: string, file: string|null, folder: string}} ConfigDocument
 *   `source`: how messages name it; `folder`: what relative paths in it start from
 */

/** In the order in which they are looked for. */
export const ECOSYSTEM_FILES = Object.freeze([
  'ecosystem.yml',
  'ecosystem.yaml',
  'ecosystem.json',
  'ecosystem.config.js',
  'ecosystem.config.cjs',
  'ecosystem.config.mjs',
]);

/**
 * @param {string} path a file, or '-' for standard input
 * @param {{stdin?: AsyncIterable<Buffer|string>, cwd?: string}} [options]
 * @returns {Promise<{source: string, file: string|null, document: ConfigDocument}>}
 * @throws {NodeclusterError} E_CONFIG_MISSING, _UNREADABLE, _NOT_A_FILE, _TOO_LARGE, _EMPTY,
 *   _SYNTAX, _SCRIPT_FAILED
 */
export async function loadFile(path, { stdin = process.stdin, cwd = workingFolder() } = {}) {
  const file = path === '-' ? null : resolve(cwd, path);
  const source = file ? path : 'standard input';
  const text = file ? await readBounded(file, source) : await readStream(stdin, source);
  const parsed = text.trim() === '' ? null : await parse(text, source, file);
  if (parsed === null || parsed.value === null || parsed.value === undefined) {
    throw new NodeclusterError('E_CONFIG_EMPTY', { file: source });
  }
  const folder = file ? dirname(file) : cwd;
  return { source, file, document: { ...parsed, source, file, folder } };
}

/**
 * @param {string} folder
 * @returns {Promise<string>} the path of the ecosystem file in it
 * @throws {NodeclusterError} E_CONFIG_NONE_HERE
 */
export async function findEcosystemFile(folder) {
  for (const name of ECOSYSTEM_FILES) {
    const path = join(folder, name);
    const there = await access(path).then(
      () => true,
      () => false,
    );
    if (there) return path;
  }
  throw new NodeclusterError('E_CONFIG_NONE_HERE', { folder, names: ECOSYSTEM_FILES });
}

/**
 * Whether an argument of `start` names an ecosystem file rather than a program or an app.
 * @param {string} argument
 * @returns {boolean}
 */
export function isEcosystemFile(argument) {
  return argument === '-' || /\.(ya?ml|json|config\.[cm]?js)$/.test(argument);
}

/**
 * @param {string} text
 * @param {string} source
 * @param {string|null} file
 * @returns {Promise<ParsedText>}
 */
async function parse(text, source, file) {
  const extension = file ? extname(file) : '';
  if (extension === '.json') return parseJson(text, source);
  if (!file || !/^\.[cm]?js$/.test(extension)) return parseYaml(text, source);
  const value = await runScript(file, text, source);
  return { value, locate: () => null, written: () => null };
}
