/**
 * Which messages of a worker node:cluster may act on. It trusts them: a request to listen on a
 * descriptor would open, and later close, a descriptor of the primary's own.
 */
import { constants } from 'node:os';

/** Sockets of one worker. */
const MAX_SERVERS = 1000;
/** No host name or path of a unix socket is longer. */
const MAX_ADDRESS = 4096;
const ADDRESS_TYPES = [4, 6, -1, 'udp4', 'udp6'];
/** What a request to listen may have besides. @type {Record<string, (value: unknown) => boolean>} */
const PARTS = {
  address: (value) => typeof value === 'string' && value.length <= MAX_ADDRESS,
  port: (value) => isInteger(value, -1, 65_535),
  fd: (value) => value === -1,
  index: (value) => isInteger(value, 0, Number.MAX_SAFE_INTEGER),
  flags: (value) => isInteger(value, 0, 2 ** 31),
  backlog: (value) => isInteger(value, -(2 ** 31), 2 ** 31),
};
const ACTS = ['online', 'listening', 'exitedAfterDisconnect'];

/** The messages of one worker. */
export class ClusterMessages {
  /** As node:cluster names them. @type {Set<string>} */
  #servers = new Set();

  /**
   * @param {any} message
   * @returns {{accepted: true} | {accepted: false, reply: object | null}} `reply`: what the worker
   *   gets instead of a socket, so that its `listen` fails
   */
  judge(message) {
    if (message?.cmd !== 'NODE_CLUSTER') return { accepted: true };
    if (message.act === 'queryServer') return this.#judgeServer(message);
    if (message.act === 'close') this.#servers.delete(message.key);
    return isSound(message) ? { accepted: true } : { accepted: false, reply: null };
  }

  /** @param {Record<string, any>} message */
  #judgeServer(message) {
    const { address, port, addressType, fd, index, seq } = message;
    const key = `${address}:${port}:${addressType}:${fd}:${index}`;
    const errno = faultOf(message) ?? (this.#hasRoomFor(key) ? null : constants.errno.EMFILE);
    if (errno === null) {
      this.#servers.add(key);
      return { accepted: /** @type {const} */ (true) };
    }
    const reply = { cmd: 'NODE_CLUSTER', ack: seq, errno: -errno, key: '', data: null };
    return {
      accepted: /** @type {const} */ (false),
      reply: Number.isSafeInteger(seq) ? reply : null,
    };
  }

  /** @param {string} key */
  #hasRoomFor(key) {
    return this.#servers.has(key) || this.#servers.size < MAX_SERVERS;
  }
}

/** @param {Record<string, any>} message that is not a request to listen */
function isSound({ act, ack, key, seq }) {
  const isReply = act === undefined && Number.isSafeInteger(ack);
  const isClosing = act === 'close' && typeof key === 'string';
  const hasNumber = seq === undefined || Number.isSafeInteger(seq);
  return hasNumber && (isReply || isClosing || ACTS.includes(act));
}

/** @param {Record<string, any>} request to listen @returns {number | null} an errno */
function faultOf(request) {
  const { fd, addressType, seq } = request;
  // The descriptors of a worker and of its primary have nothing in common.
  if (Number(fd) >= 0 && fd !== null) return constants.errno.ENOTSUP;
  const isTyped = ADDRESS_TYPES.includes(addressType) && Number.isSafeInteger(seq);
  const isValid = Object.entries(PARTS).every(([key, check]) => {
    const value = request[key];
    return value === undefined || value === null || check(value);
  });
  return isTyped && isValid ? null : constants.errno.EINVAL;
}

/** @param {unknown} value @param {number} min @param {number} max */
function isInteger(value, min, max) {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}
