/** Files of this package that a primary gives to other processes. */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NodeclusterError } from '../../errors/error.js';

const SOURCES = new URL('../../', import.meta.url);

/** The main file of the process that talks to the inspectors of workers. */
export const inspectorFile = ownFile('features/why/inspector/main.js');

/**
 * @param {string} name of a file of the agent, which workers load before their program
 * @returns {() => string}
 */
export function agentFile(name) {
  return ownFile(`agent/${name}`);
}

/**
 * @param {string} name
 * @returns {() => string} its path, unless another user has replaced it since: a home directory may be in
 *   a place where others can rename it
 * @throws {NodeclusterError} E_FILE_UNTRUSTED
 */
function ownFile(name) {
  const file = fileURLToPath(new URL(name, SOURCES));
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
