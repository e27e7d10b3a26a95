/** One request to a primary on a connection of its own. */
import { NodeclusterError } from '../../../errors/error.js';
import { connect } from '../../../protocol/client.js';
import { VERSION } from '../../../shared/version.js';

/**
 * @import { PrimaryClient, PrimaryMethods } from '../../../protocol/methods.js'
 * @import { PrimaryRecord } from '../../../shared/processes/primary-record.js'
 */

const REPLY_MS = 5000;
const HELLO = { role: 'daemon', version: VERSION };

/**
 * @template {'host' | 'abandon'} K
 * @param {PrimaryRecord} record
 * @param {K} method
 * @param {PrimaryMethods[K]['params']} params
 * @returns {Promise<string | null>} the code of an error, null: it is done. E_PROTOCOL_UNREACHABLE: the
 *   process is not the primary of that app any more
 */
export async function requestOnce({ pid, socket }, method, params) {
  try {
    /** @type {PrimaryClient} */
    const client = await connect(socket, { hello: HELLO, timeoutMs: REPLY_MS });
    try {
      if (client.peer.pid !== pid) return 'E_PROTOCOL_UNREACHABLE';
      await client.request(method, params, { timeoutMs: REPLY_MS });
      return null;
    } finally {
      client.close();
    }
  } catch (thrown) {
    return NodeclusterError.from(thrown).code;
  }
}
