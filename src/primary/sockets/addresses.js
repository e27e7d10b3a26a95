/** What the addresses of sockets are called, by node:cluster, by the daemon and here. */
import path from 'node:path';
import { isAnyHost, placeAt } from '../../lifecycle/listening.js';

/** @import { Address, TcpHandle } from './listening-sockets.js' */

/** What tells a socket from others; empty: a unix socket. @param {Pick<TcpHandle, 'getsockname'>} handle */
export function addressOf(handle) {
  /** @type {Address} */
  const local = {};
  handle.getsockname?.(local);
  return local.address === undefined ? '' : `${local.address}:${local.port}`;
}

/** Whether only one of the two can be listened on. @param {string} one @param {string} other */
export function collide(one, other) {
  const [a, b] = [one, other].map(parse);
  return a.port === b.port && (a.isEverywhere || b.isEverywhere);
}

/**
 * Whether a program gets a socket that was opened outside. Where both mean every address, it does: the port is taken, and
 * `[::]` accepts IPv4 too.
 * @param {string} name of the socket
 * @param {string} asked what the program listens on
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
 * The same for the same unix socket. node:cluster puts its own directory before an abstract name, which begins with NUL.
 * @param {string} address relative or absolute
 */
export function namePath(address) {
  const abstract = address.indexOf('\0');
  return abstract >= 0 ? address.slice(abstract) : path.resolve(address);
}
