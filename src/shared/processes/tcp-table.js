/** Reads which sockets exist from what Linux shows of them: proc(5). */

/** The flag of a socket that listens, in /proc/net/unix. */
const ACCEPTS = '00010000';

/**
 * @typedef {object} TcpSocket
 * @property {string} inode
 * @property {number} uid of its user
 * @property {string} host in hexadecimal digits, each four bytes in the order of the machine
 * @property {number} port
 */

/** In /proc/net/tcp and tcp6. */
export const listeningSockets = socketsWith('0A');
/** In /proc/net/udp and udp6: those of servers, and of clients that are not connected. */
export const openSockets = socketsWith('07');

/** @param {string} table what /proc/net/unix contains @returns {{inode: string, file: string}[]} those that listen */
export function listeningFiles(table) {
  return table.split('\n').flatMap((line) => {
    const [, , , flags, , , inode, file] = line.split(/\s+/);
    return flags === ACCEPTS ? [{ inode, file }] : [];
  });
}

/** @param {string} wanted @returns {(table: string) => TcpSocket[]} */
function socketsWith(wanted) {
  return (table) =>
    table.split('\n').flatMap((line) => {
      const [, local = '', , state = '', , , , uid, , inode] = line.trim().split(/\s+/);
      const [host, port] = local.split(':');
      if (state !== wanted) return [];
      return [{ inode, uid: Number(uid), host, port: parseInt(port, 16) }];
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
