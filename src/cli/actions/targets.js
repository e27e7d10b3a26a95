/** What a command is about: an ecosystem file, the one in this folder, or apps by selectors. */
import { isEcosystemFile } from '../../config/file/load.js';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @typedef {{kind: 'file', file: string} | {kind: 'folder'}} FileTarget
 * @typedef {FileTarget | {kind: 'selectors', selectors: string[]}} Target
 */

/**
 * @param {string[]} words the arguments of the command
 * @param {string} command
 * @returns {Target}
 * @throws {NodeclusterError} E_MIXED_TARGETS
 */
export function targetOf(words, command) {
  if (words.length === 0) return { kind: 'folder' };
  const file = words.find(isEcosystemFile);
  if (file === undefined) return { kind: 'selectors', selectors: words };
  if (words.length > 1) throw new NodeclusterError('E_MIXED_TARGETS', { file, command });
  return { kind: 'file', file };
}
