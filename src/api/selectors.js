/** What a command or a call points at: apps, by selectors, or an ecosystem file. */
import { resolve } from 'node:path';
import { findEcosystemFile, isEcosystemFile } from '../config/file/load.js';
import { NodeclusterError } from '../errors/error.js';
import { workingDirectory } from '../shared/files/inspect-path.js';

/**
 * @import { DaemonClient, DaemonMethods } from '../protocol/methods.js'
 * @import { Caller } from './replace.js'
 * @import { Description, Field, Selection } from '../protocol/shapes.js'
 *
 * @typedef {{cwd: string, env: Record<string, string | undefined>}} Place where the words were typed
 */

/** @returns {Place} of this process */
export function currentPlace() {
  return { cwd: workingDirectory(), env: process.env };
}

/**
 * @param {{command: string, cwd: string}} caller
 * @param {string[]} words without any, the file in the working directory is meant
 * @param {Record<string, any>} options
 * @returns {string | null} the ecosystem file; null: the words are selectors
 */
export function fileAmong({ command, cwd }, words, options) {
  const file = words.length === 0 ? findEcosystemFile(cwd) : words.find(isEcosystemFile);
  if (words.length > 1 && file) throw new NodeclusterError('E_MIXED_TARGETS', { file, command });
  if (file) return file;
  if (words.length === 0)
    throw new NodeclusterError('E_NOTHING_NAMED', { command, directory: cwd });
  const ofFile = ['only', 'env', 'lenient', 'prune'].find((key) => options[key] !== undefined);
  if (ofFile === undefined) return null;
  throw new NodeclusterError('E_OPTION_NEEDS_FILE', { option: `--${ofFile}`, command });
}

/**
 * The path of a script means the apps that run it. A name wins over a path.
 * @param {Pick<Place, 'cwd'>} place
 * @param {DaemonClient} client
 * @param {string[]} words
 * @returns {Promise<string[]>} selectors that the daemon understands
 */
export async function selectorsFor({ cwd }, client, words) {
  if (!words.some(looksLikePath)) return words;
  const { apps } = await client.request('list', {});
  const names = new Set(apps.flatMap(({ name, namespace }) => [name, namespace]));
  return words.flatMap((word) => {
    if (names.has(word) || !looksLikePath(word)) return [word];
    const path = resolve(cwd, word);
    const running = apps.filter(({ script }) => script === path).map(({ name }) => name);
    return running.length > 0 ? running : [word];
  });
}

/**
 * @template {'stop' | 'delete' | 'reset' | 'run-now' | 'flush' | 'send' | 'signal' | 'reload' | 'restart'} K
 * @param {Caller} caller
 * @param {K} method
 * @param {string[]} words
 * @param {Omit<DaemonMethods[K]['params'], keyof Selection>} params
 */
export async function commandApps(caller, method, words, params) {
  const client = await caller.openForApps();
  const selectors = await selectorsFor(caller, client, words);
  return caller.request(client, method, /** @type {any} */ ({ selectors, ...params }));
}

/** @param {DaemonClient} client @param {string[]} selectors @param {{fields?: Field[]}} [more] besides the details */
export async function fetchDescriptions(client, selectors, { fields = [] } = {}) {
  const { apps } = await client.request('list', { selectors, fields: ['details', ...fields] });
  return /** @type {Description[]} */ (apps);
}

/** @param {string} word */
function looksLikePath(word) {
  const isExpression = /^\/.+\/i?$/.test(word);
  return /[./]/.test(word) && !isExpression;
}
