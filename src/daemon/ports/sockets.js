/** Reads from the tables of the Linux kernel which sockets listen somewhere: proc(5). */
import { isAnyHost } from '../../lifecycle/listen-fault.js';
import { listeningSockets } from '../../shared/processes/tcp-table.js';

/** @typedef {{inode: string, uid: number | null}} ListeningSocket uid: its user, if it is shown */

/** The flag of a unix socket that listens. */
const ACCEPTS = '00010000';

/**
 * @param {string} table what /proc/net/tcp or /proc/net/tcp6 contains, see proc(5)
 * @param {string | null} address
 * @param {number} port
 * @returns {ListeningSocket[]}
 */
export function tcpSockets(table, address, port) {
  return listeningSockets(table)
    .filter((socket) => socket.port === port && collides(socket.host, address))
    .map(({ inode, uid }) => ({ inode, uid }));
}

/** @param {string} hex @param {string | null} address that could not be bound */
function collides(hex, address) {
  if (address === null || isAnyHost(address) || /^0+$/.test(hex)) return true;
  const bytes = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  // An IPv6 address has several forms, so it is not compared.
  return bytes.length !== 4 || hex.endsWith(bytes.reverse().join('').toUpperCase());
}

/**
 * @param {string} table what /proc/net/unix contains
 * @param {string} file
 * @returns {ListeningSocket[]}
 */
export function unixSockets(table, file) {
  return table.split('\n').flatMap((line) => {
    const [, , , flags, , , inode, name] = line.split(/\s+/);
    return flags === ACCEPTS && name === file ? [{ inode, uid: null }] : [];
  });
}
