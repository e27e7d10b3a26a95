/**
 * Sockets that an init system opened for this daemon (sd_listen_fds(3)): descriptors from 3 upwards.
 * The daemon never accepts from them and never closes them: each primary inherits them.
 */
import { listeningAddress, openSocket } from '../../shared/inherited-socket.js';

/** @import { InheritedSocket } from '../../shared/inherited-socket.js' */

const FIRST = 3;
/** So that the command line of a primary, which names them, stays short. */
const MAX_SOCKETS = 64;
const OWN_VARIABLES = ['LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES', 'LISTEN_PIDFDID'];

/**
 * Removes the variables from the environment, so that no other process inherits them.
 * @param {Record<string, string | undefined>} env
 * @returns {{sockets: InheritedSocket[], ignored: number[]}} ignored: descriptors that are not
 *   listening TCP sockets
 */
export function takeSockets(env) {
  const { LISTEN_FDS, LISTEN_PID } = env;
  for (const name of OWN_VARIABLES) delete env[name];
  const isMeant = LISTEN_PID === String(process.pid) && /^\d+$/.test(LISTEN_FDS ?? '');
  const count = isMeant ? Math.min(Number(LISTEN_FDS), MAX_SOCKETS) : 0;
  /** @type {InheritedSocket[]} */
  const sockets = [];
  const ignored = [];
  for (let fd = FIRST; fd < FIRST + count; fd++) {
    const handle = openSocket(fd);
    const at = handle && listeningAddress(handle);
    if (at) sockets.push({ name: `${at.address}:${at.port}`, fd, isLasting: true });
    else ignored.push(fd);
  }
  return { sockets, ignored };
}
