/**
 * Which requests of a worker node:cluster may act on. It trusts them: a request to listen on a
 * descriptor would open, and later close, a descriptor of the primary's own.
 */
import { constants } from 'node:os';
import {
  either,
  json,
  nullable,
  numberOf,
  object,
  oneOf,
  optional,
  stringOf,
} from '../../shared/checks.js';

/** @import { Check } from '../../shared/checks.js' */

/** Sockets of one worker. */
const MAX_SERVERS = 1000;
/** No host name or path of a unix socket is longer. */
const MAX_ADDRESS = 4096;
const integer = (minimum = -Infinity, maximum = Infinity) =>
  numberOf({ integer: true, minimum, maximum });
const orNothing = (/** @type {Check} */ check) => optional(nullable(check));
/** A request to listen. */
const request = object({
  addressType: oneOf(4, 6, -1, 'udp4', 'udp6'),
  seq: integer(),
  address: orNothing(stringOf({ maxLength: MAX_ADDRESS })),
  port: orNothing(integer(-1, 65_535)),
  // Worker and primary share no descriptors. Plain Node fails alike on one that is not a socket.
  fd: orNothing(oneOf(-1)),
  index: orNothing(integer(0)),
  flags: orNothing(integer(0, 2 ** 31)),
  // Node sends false for `listen(port, host, callback)`.
  backlog: orNothing(either(oneOf(false), integer(-(2 ** 31), 2 ** 31))),
  // node:cluster keeps it with the socket: the keys of TLS tickets.
  data: orNothing(json(MAX_ADDRESS)),
});
const ACTS = ['online', 'listening', 'exitedAfterDisconnect'];

export class ClusterMessages {
  /**
   * Of its app, in place of a descriptor in the names of node:cluster, which would give two apps that ask for one address
   * the same socket.
   */
  scope = -1;
  /** As `serverOf` names them. @type {Set<string>} */
  #servers = new Set();

  /**
   * @param {Record<string, any>} message of node:cluster that acknowledges nothing
   * @returns {{reply: object | null} | null} null: node:cluster may act on it; `reply`: what the worker gets
   *   instead of a socket, so that its `listen` fails
   */
  judge(message) {
    if (message.act === 'queryServer') return this.#judgeServer(message);
    if (message.act === 'close') this.#servers.delete(serverOf(message.key));
    return isSound(message) ? null : { reply: null };
  }

  /** @param {Record<string, any>} message */
  #judgeServer(message) {
    const { address, port, addressType, index, seq } = message;
    const key = serverOf(`${address}:${port}:${addressType}:${this.scope}:${index}`);
    const hasRoom = this.#servers.has(key) || this.#servers.size < MAX_SERVERS;
    const isValid = request(message) === null;
    if (isValid && hasRoom) {
      message.fd = this.scope;
      this.#servers.add(key);
      return null;
    }
    const { EINVAL, EMFILE } = constants.errno;
    const errno = isValid ? EMFILE : EINVAL;
    const reply = { cmd: 'NODE_CLUSTER', ack: seq, errno: -errno, key: '', data: null };
    return { reply: Number.isSafeInteger(seq) ? reply : null };
  }
}

/**
 * node:cluster adds the index of a worker's servers at that address: Node 20 always, later versions only at port 0,
 * where each has a socket of its own.
 * @param {unknown} key
 */
function serverOf(key) {
  return String(key).replace(/(:(?!0:)-?\d+:(?:[46]|-1|udp[46]):[^:]*):\d+$/, '$1');
}

/** @param {Record<string, any>} message that is neither a reply nor a request to listen */
function isSound({ act, key, seq }) {
  const isClosing = act === 'close' && typeof key === 'string';
  const hasNumber = seq === undefined || Number.isSafeInteger(seq);
  return hasNumber && (isClosing || ACTS.includes(act));
}
