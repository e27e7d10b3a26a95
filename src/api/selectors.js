/** What a command line points at: apps, by selectors, or an ecosystem file. */
import { resolve } from 'node:path';
import { isEcosystemFile } from '../config/file/load.js';
import { NodeclusterError } from '../errors/error.js';

/**
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { Field } from '../protocol/request.js'
 * @import { Description } from '../protocol/shapes.js'
 *
 * @typedef {{kind: 'file', file: string} | {kind: 'directory'}} FileTarget the file, or the one in
 *   the working directory
 * @typedef {FileTarget | {kind: 'selectors', selectors: string[]}} Target
 */

const fileOnlyOptions = { only: '--only', env: '--env', lenient: '--lenient' };

/**
 * @param {{words: string[], options: Record<string, unknown>, command: string}} typed
 * @returns {Target}
 * @throws {NodeclusterError} E_MIXED_TARGETS, E_OPTION_NEEDS_FILE
 */
export function readTarget({ words, options, command }) {
  if (words.length === 0) return { kind: 'directory' };
  const file = words.find(isEcosystemFile);
  if (file !== undefined) {
    if (words.length > 1) throw new NodeclusterError('E_MIXED_TARGETS', { file, command });
    return { kind: 'file', file };
  }
  for (const [key, option] of Object.entries(fileOnlyOptions)) {
    if (options[key] === undefined) continue;
    throw new NodeclusterError('E_OPTION_NEEDS_FILE', { option, command });
  }
  return { kind: 'selectors', selectors: words };
}

/**
 * The path of a script means the apps that run it. A name wins over a path.
 * @param {{cwd: string}} place where the words were typed
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
 * @param {DaemonClient} client
 * @param {string[]} selectors
 * @param {{fields?: Field[], showSecrets?: boolean}} [more] fields: besides the details
 * @returns {Promise<Description[]>} all about these apps
 */
export async function fetchDescriptions(client, selectors, { fields = [], showSecrets } = {}) {
  const { apps } = await client.request('list', {
    selectors,
    fields: ['details', ...fields],
    showSecrets,
  });
  return /** @type {Description[]} */ (apps);
}

/** @param {string} word not a regular expression: `/^api/i` */
function looksLikePath(word) {
  return /[./]/.test(word) && !/^\/.+\/i?$/.test(word);
}
