/** What the addresses of sockets are called, by node:cluster, by the daemon and here. */
import path from 'node:path';
import { isAnyHost, placeAt } from '../../lifecycle/listening.js';

/** @import { Address } from './listening-sockets.js' */

/**
 * @param {Address | null} [local] as Node names it; null: a unix socket
 * @returns {string} what tells it from other addresses; empty for a unix socket
 */
export function nameAddress(local) {
  return local?.address === undefined ? '' : `${local.address}:${local.port}`;
}

/**
 * @param {string} one
 * @param {string} other
 * @returns {boolean} whether only one of the two can be listened on
 */
export function collide(one, other) {
  const [a, b] = [one, other].map(parse);
  return a.port === b.port && (a.isEverywhere || b.isEverywhere);
}

/**
 * @param {string} name of a socket that was opened outside
 * @param {string} asked what the program listens on
 * @returns {boolean} whether the program gets that socket. Where both mean every address, it does: the
 *   port is taken, and `[::]` accepts IPv4 too
 */
export function serves(name, asked) {
  if (name === asked) return true;
  const [socket, program] = [name, asked].map(parse);
  return socket.port === program.port && socket.isEverywhere && program.isEverywhere;
}

/** @param {string} name of a socket: `<host>:<port>`, with `*` if a program gave no host */
function parse(name) {
  const { host, port } = placeAt(name);
  return { isEverywhere: isAnyHost(host), port };
}

/** As node:cluster names the address of a unix socket; Node 20 adds an index. */
const UNIX_KEY = /^(.*):-1:-1:[^:]*(?::\d+)?$/s;

/** @param {string} key @returns {string} its path as `namePath` writes it; empty: it is not a unix socket */
export function pathOf(key) {
  const [, address] = UNIX_KEY.exec(key) ?? [];
  return address === undefined ? '' : namePath(address);
}

/**
 * The worker's node:cluster puts its own directory before an abstract name, which begins with NUL.
 * @param {string} address of a unix socket, relative or absolute
 * @returns {string} the same for the same socket
 */
export function namePath(address) {
  const abstract = address.indexOf('\0');
  return abstract >= 0 ? address.slice(abstract) : path.resolve(address);
}

/**
 * `readableAll` and `writableAll` of a unix socket: node:cluster (Node 20 to 26) ignores them where workers
 * accept, and then a proxy of another user could not connect.
 * @param {any} request of a worker to listen. Programs can forge it
 * @returns {number} who else may connect, as https://docs.libuv.org/en/v1.x/pipe.html#c.uv_pipe_chmod; 0: nobody
 */
export function modeOf({ readableAll, writableAll }) {
  return (readableAll === true ? 1 : 0) | (writableAll === true ? 2 : 0);
}
