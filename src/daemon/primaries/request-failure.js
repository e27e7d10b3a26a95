import { NodeclusterError } from '../../errors/error.js';

/**
 * @param {unknown} thrown by a request to a primary
 * @param {boolean} isLeaving whether the connection is being closed on purpose
 * @returns {'E_APP_KILLED' | 'E_PRIMARY_GONE' | 'E_PRIMARY_SILENT' | null} null: the primary refused it
 */
export function failureCode(thrown, isLeaving) {
  const { code } = NodeclusterError.from(thrown);
  if (code === 'E_PROTOCOL_CLOSED') return isLeaving ? 'E_APP_KILLED' : 'E_PRIMARY_GONE';
  return code === 'E_PROTOCOL_TIMEOUT' ? 'E_PRIMARY_SILENT' : null;
}
