/** Reads which sockets exist from what Linux shows of them: proc(5). */

/** In /proc/net/tcp; in /proc/net/udp, of a socket that may get datagrams from anybody; the flag in /proc/net/unix. */
const LISTEN = '0A';
const OPEN = '07';
const ACCEPTS = '00010000';

/**
 * @typedef {object} TcpSocket
 * @property {string} inode 0: none, since its process has closed it
 * @property {number} uid of its user
 * @property {string} host in hexadecimal digits, each four bytes in the order of the machine
 * @property {number} port
 */

/** @param {string} table what /proc/net/tcp or /proc/net/tcp6 contains @returns {TcpSocket[]} */
export function listeningSockets(table) {
  return socketsIn(table, (state) => state === LISTEN);
}

/** @param {string} table as above @returns {TcpSocket[]} of connections */
export function connectedSockets(table) {
  return socketsIn(table, (state) => /^0[1-9B]$/.test(state));
}

/** @param {string} table what /proc/net/udp or /proc/net/udp6 contains @returns {TcpSocket[]} of servers, and of clients that are not connected */
export function openSockets(table) {
  return socketsIn(table, (state) => state === OPEN);
}

/** @param {string} table what /proc/net/unix contains @returns {{inode: string, file: string}[]} those that listen */
export function listeningFiles(table) {
  return table.split('\n').flatMap((line) => {
    const [, , , flags, , , inode, file] = line.split(/\s+/);
    return flags === ACCEPTS ? [{ inode, file }] : [];
  });
}

/** @param {string} table @param {(state: string) => boolean} fits @returns {TcpSocket[]} */
function socketsIn(table, fits) {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state = '', , , , uid, , inode] = line.trim().split(/\s+/);
    const [host, port] = local.split(':');
    return fits(state) ? [{ inode, uid: Number(uid), host, port: parseInt(port, 16) }] : [];
  });
}

/** @param {TcpSocket} socket @returns {string} `*:3000`, `127.0.0.1:3000`, `[::1]:3000` */
export function addressOf({ host, port }) {
  if (/^0+$/.test(host)) return `*:${port}`;
  const bytes = Buffer.from(host, 'hex');
  // x86 and ARM are little-endian, as every platform of Node but IBM Z.
  for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse();
  if (bytes.length === 4) return `${bytes.join('.')}:${port}`;
  const groups = bytes.toString('hex').match(/.{4}/g) ?? [];
  return `${new URL(`http://[${groups.join(':')}]`).hostname}:${port}`;
}
