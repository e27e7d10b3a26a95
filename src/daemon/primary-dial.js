/** A connection to a primary. */
import { connect } from '../protocol/client.js';
import { VERSION } from '../shared/version.js';

const ANSWER_MS = 5000;
const HELLO = { role: 'daemon', version: VERSION };

/**
 * @param {import('./primary-record.js').PrimaryRecord} record
 * @param {(snapshot: import('./app-view.js').Snapshot) => void} onState called at once, and after
 *   each change that the primary tells of
 * @returns {Promise<import('../protocol/client.js').Client>}
 * @throws {import('../errors/error.js').NodeclusterError} E_PROTOCOL_UNREACHABLE and others
 */
export async function dialPrimary(record, onState) {
  const client = await connect(record.socket, { hello: HELLO, timeoutMs: ANSWER_MS });
  client.on('notification', (method, params) => {
    if (method === 'state') onState(params);
  });
  try {
    onState(await client.request('subscribe', {}, { timeoutMs: ANSWER_MS }));
  } catch (error) {
    client.close();
    throw error;
  }
  return client;
}
