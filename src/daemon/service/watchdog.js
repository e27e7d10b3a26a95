/** Tells the init system that this daemon lives, as long as its event loop and its socket answer. */
import { NodeclusterError } from '../../errors/error.js';
import { connect } from '../../protocol/client.js';
import { VERSION } from '../../shared/version.js';

/** @import { DaemonClient } from '../../protocol/methods.js' */
/** @import { HomePaths } from '../../shared/home.js' */

const HELLO = { role: 'watchdog', version: VERSION };
/** What a client gets when nobody answers. Any other error is an answer, such as "too many clients". */
const NO_ANSWER = ['E_PROTOCOL_UNREACHABLE', 'E_PROTOCOL_TIMEOUT', 'E_PROTOCOL_CLOSED'];

/**
 * @param {HomePaths} paths
 * @param {number} limitMs after which the init system replaces a daemon that has not pinged
 * @param {() => void} ping
 */
export function startWatchdog({ daemonSocket }, limitMs, ping) {
  const everyMs = limitMs / 2;
  const check = async () => {
    if (await answers(daemonSocket, everyMs / 2)) ping();
  };
  setInterval(check, everyMs).unref();
}

/** @param {string} socket @param {number} timeoutMs */
async function answers(socket, timeoutMs) {
  try {
    /** @type {DaemonClient} */
    const client = await connect(socket, { hello: HELLO, timeoutMs });
    await client.request('ping', {}, { timeoutMs }).finally(() => client.close());
    return true;
  } catch (error) {
    return !NO_ANSWER.includes(NodeclusterError.from(error).code);
  }
}
