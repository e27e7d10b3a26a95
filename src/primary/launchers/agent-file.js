/** A file of the agent, which workers load before their program. */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NodeclusterError } from '../../errors/error.js';

const DIRECTORY = new URL('../../agent/', import.meta.url);

/**
 * @param {string} name
 * @returns {() => string} its path, unless another user has replaced it since: a home directory may be in
 *   a place where others can rename it
 * @throws {NodeclusterError} E_FILE_UNTRUSTED
 */
export function agentFile(name) {
  const file = fileURLToPath(new URL(name, DIRECTORY));
  const { uid: owner } = statSync(file);
  return () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats && stats.uid !== owner) {
      const reason = `it belongs to user ${stats.uid}, no longer to ${owner}`;
      throw new NodeclusterError('E_FILE_UNTRUSTED', { file, reason });
    }
    return file;
  };
}
