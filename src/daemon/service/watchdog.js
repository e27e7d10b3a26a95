/** Pings the init system for as long as the daemon replies to requests on its own socket. */
import { NodeclusterError } from '../../errors/error.js';
import { connect } from '../../protocol/client.js';
import { VERSION } from '../../shared/version.js';

/** @import { DaemonClient } from '../../protocol/methods.js' */
/** @import { HomePaths } from '../../shared/home.js' */

const HELLO = { role: 'watchdog', version: VERSION };
/** The daemon did not reply. Any other error is a reply, such as "too many clients". */
const NO_REPLY = ['E_PROTOCOL_UNREACHABLE', 'E_PROTOCOL_TIMEOUT', 'E_PROTOCOL_CLOSED'];

/**
 * @param {HomePaths} paths
 * @param {number} limitMs after which the init system replaces a daemon that has not pinged
 * @param {() => void} ping
 */
export function startWatchdog({ daemonSocket }, limitMs, ping) {
  const everyMs = limitMs / 2;
  const check = async () => {
    if (await replies(daemonSocket, everyMs / 2)) ping();
  };
  setInterval(check, everyMs).unref();
}

/** @param {string} socket @param {number} timeoutMs */
async function replies(socket, timeoutMs) {
  try {
    /** @type {DaemonClient} */
    const client = await connect(socket, { hello: HELLO, timeoutMs });
    await client.request('ping', {}, { timeoutMs }).finally(() => client.close());
    return true;
  } catch (error) {
    return !NO_REPLY.includes(NodeclusterError.from(error).code);
  }
}
