/** Which requests of a worker node:cluster may act on: it would open, and later close, a descriptor of the primary's own. */
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

/** Between the numbers of two servers; more apps than ever begin in one primary. */
const SCOPES = 1_000_000;
/** As node:cluster names a server: its place, our number and an index of its own, always on Node 20, later at port 0. */
const KEY = /^(.*):(-\d+)(?::0)?$/s;

export class ClusterMessages {
  /** Of its app, in place of a descriptor: node:cluster would give two apps the same socket at one address. */
  scope = -1;
  #count = 0;
  /** By address: those that are open or asked for, and what the next one gets in place of a descriptor. @type {Map<string, {numbers: Set<number>, next: number}>} */
  #servers = new Map();

  /** Whether the worker has bound a UDP port, which it shares with others, and not one that the system chose. */
  get hasUdp() {
    return [...this.#servers.keys()].some((place) => /:(?!0:)\d+:udp[46]$/.test(place));
  }

  /**
   * Null: node:cluster may act on it; `reply`: what the worker gets, so that its `listen` fails.
   * @param {Record<string, any>} message of node:cluster that acknowledges nothing
   */
  judge(message) {
    const { act, key, seq } = message;
    if (act === 'queryServer') return this.#judgeServer(message);
    if (act === 'close') this.closed(key);
    const isKnown = ACTS.includes(act) || (act === 'close' && typeof key === 'string');
    const hasNumber = seq === undefined || Number.isSafeInteger(seq);
    return isKnown && hasNumber ? null : { reply: null };
  }

  /** @param {unknown} key of a server that was closed, or never got its socket */
  closed(key) {
    const [, place = '', number] = KEY.exec(String(key)) ?? [];
    const servers = this.#servers.get(place);
    if (!servers?.numbers.delete(Number(number))) return;
    this.#count -= 1;
    if (servers.numbers.size === 0) this.#servers.delete(place);
  }

  /** @param {Record<string, any>} message */
  #judgeServer(message) {
    const { address, port, addressType, seq } = message;
    const isValid = request(message) === null;
    if (isValid && this.#count < MAX_SERVERS) {
      message.fd = this.#numberAt(`${address}:${port}:${addressType}`);
      message.index = 0;
      return null;
    }
    const { EINVAL, EMFILE } = constants.errno;
    const errno = isValid ? EMFILE : EINVAL;
    const reply = { cmd: 'NODE_CLUSTER', ack: seq, errno: -errno, key: '', data: null };
    return { reply: Number.isSafeInteger(seq) ? reply : null };
  }

  /**
   * The first server of each worker at an address has the socket of its siblings there. In place of node:cluster's index,
   * which on Node 20 also counts what failed; later versions have none for a port, and a second server that fails while the
   * first one closes throws an exception in the primary.
   * @param {string} place
   */
  #numberAt(place) {
    const servers = this.#servers.get(place) ?? { numbers: new Set(), next: this.scope };
    const number = servers.next;
    servers.next -= SCOPES;
    this.#servers.set(place, servers);
    servers.numbers.add(number);
    this.#count += 1;
    return number;
  }
}
