import { NodeclusterError } from '../../../errors/error.js';

/** @typedef {'E_APP_KILLED' | 'E_DAEMON_EXITS'} Leaving why the connection is closed on purpose */

/**
 * @param {unknown} thrown by a request to a primary
 * @param {Leaving | null} leaving
 * @returns {Leaving | 'E_PRIMARY_LOST' | 'E_PRIMARY_SILENT' | null} null: the primary refused it
 */
export function failureCode(thrown, leaving) {
  const { code } = NodeclusterError.from(thrown);
  if (code === 'E_PROTOCOL_CLOSED') return leaving ?? 'E_PRIMARY_LOST';
  return code === 'E_PROTOCOL_TIMEOUT' ? 'E_PRIMARY_SILENT' : null;
}
