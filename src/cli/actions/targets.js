/** What a command works on: apps named by selectors, or an ecosystem file. */
import { isEcosystemFile } from '../../config/file/load.js';
import { NodeclusterError } from '../../errors/error.js';
import { openForApps } from './request.js';

/** @import { Context } from '../context.js' */

/**
 * @typedef {{kind: 'file', file: string} | {kind: 'directory'}} FileTarget the file, or the one in
 *   the working directory
 * @typedef {FileTarget | {kind: 'selectors', selectors: string[]}} Target
 */

const fileOnlyOptions = { only: '--only', env: '--env', lenient: '--lenient' };

/**
 * @param {Pick<Context, 'words' | 'options' | 'command'>} context
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
 * For commands that need only the names of a file's apps.
 * @param {Context} context
 * @returns {Promise<string[]>} for an ecosystem file, those of its apps that the daemon knows
 * @throws {NodeclusterError} E_NO_APPS
 */
export async function readSelectors(context) {
  const target = readTarget(context);
  if (target.kind === 'selectors') return target.selectors;
  // Imported only for a file, so that `stop api` does not load the table of options.
  const { loadSpecs } = await import('./specs.js');
  const { specs, file } = await loadSpecs(context, target);
  const client = await openForApps(context);
  const { apps } = await client.request('list', {});
  const known = new Set(apps.map(({ name }) => name));
  const names = specs.map(({ name }) => name).filter((name) => known.has(name));
  if (names.length > 0) return names;
  const { home } = context.daemons;
  throw new NodeclusterError('E_NO_APPS', { home, file: file ?? 'standard input' });
}
