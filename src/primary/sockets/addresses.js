/** What the addresses of sockets are called, by node:cluster, by the daemon and here, and which slots listen on each. */
import path from 'node:path';
import { isAnyHost, placeAt } from '../../lifecycle/listening.js';

/** @import { Address } from './listening-socket.js' */

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

/** As in libuv: https://docs.libuv.org/en/v1.x/pipe.html#c.uv_pipe_chmod. */
const READABLE = 1;
const WRITABLE = 2;

/**
 * `readableAll` and `writableAll` of a unix socket: node:cluster (Node 20 to 26) ignores them where workers
 * accept, and then a proxy of another user could not connect.
 * @param {any} request of a worker to listen. Programs can forge it
 * @returns {number} who else may connect, as the system's handle takes it; 0: nobody
 */
export function modeOf({ readableAll, writableAll }) {
  return (readableAll === true ? READABLE : 0) | (writableAll === true ? WRITABLE : 0);
}

/** As node:cluster names an address: host, port, type, descriptor and, on Node 20, index. */
const TCP_KEY = /^(.*):(\d+):[46]:[^:]*(?::\d+)?$/;

/** Which slots have listened on which socket since it was opened. */
export class SocketOwners {
  /** By the name of the socket. @type {Map<string, Set<number>>} */
  #slots = new Map();

  /** @param {string} key of the address that a worker listens on @param {number} slot */
  add(key, slot) {
    const [, host, port] = TCP_KEY.exec(key) ?? [];
    // A unix socket, or a port that the system chooses, is never held.
    if (port === undefined || port === '0') return;
    const name = `${host === 'null' ? '*' : host}:${port}`;
    this.#slots.set(name, (this.#slots.get(name) ?? new Set()).add(slot));
  }

  /** @param {string} name @returns {number[] | undefined} undefined: not known, as of an inherited one */
  of(name) {
    const slots = this.#slots.get(name);
    return slots && [...slots];
  }

  /** @param {string} name of a socket that is closed for good */
  forget(name) {
    this.#slots.delete(name);
  }
}
