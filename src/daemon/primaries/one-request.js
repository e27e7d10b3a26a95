/** One request to a primary on a connection of its own. */
import { NodeclusterError } from '../../errors/error.js';
import { connect, isAbsence } from '../../protocol/client.js';
import { VERSION } from '../../shared/version.js';

/**
 * @import { PrimaryClient, PrimaryMethods } from '../../protocol/methods.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 */

const REPLY_MS = 5000;
const HELLO = { role: 'daemon', version: VERSION };

/**
 * Done and refused are answers. Absent: the process is not the primary of that app any more. Unasked: it
 * could not be asked. Unknown: it was asked, and may do it yet.
 * @typedef {'done' | 'refused' | 'absent' | 'unasked' | 'unknown'} Reply
 */

/**
 * @template {'host' | 'abandon'} K
 * @param {PrimaryRecord} record
 * @param {K} method
 * @param {PrimaryMethods[K]['params']} params
 * @returns {Promise<Reply>}
 */
export async function requestOnce({ pid, socket }, method, params) {
  /** @type {PrimaryClient} */
  let client;
  try {
    client = await connect(socket, { hello: HELLO, timeoutMs: REPLY_MS });
  } catch (thrown) {
    return isAbsence(thrown) ? 'absent' : 'unasked';
  }
  try {
    if (client.peer.pid !== pid) return 'absent';
    await client.request(method, params, { timeoutMs: REPLY_MS });
    return 'done';
  } catch (thrown) {
    const { code } = NodeclusterError.from(thrown);
    return ['E_PROTOCOL_TIMEOUT', 'E_PROTOCOL_CLOSED'].includes(code) ? 'unknown' : 'refused';
  } finally {
    client.close();
  }
}
