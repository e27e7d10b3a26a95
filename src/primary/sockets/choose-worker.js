/** Which worker gets a connection that the primary has accepted. */
import { handedTo } from './handed.js';

/**
 * @import { Server } from './admission.js'
 * @import { Address, TcpHandle } from './listening-socket.js'
 */

/**
 * Round-robin: the one that has not got any for longest, of those that have acknowledged what they got.
 * @param {TcpHandle} _client
 * @param {readonly Server[]} servers
 */
export function chooseFree(_client, servers) {
  /** @type {Server | null} */
  let chosen = null;
  let earliest = Infinity;
  for (const server of servers) {
    const { isFree, latestSend } = handedTo(server.worker);
    if (!isFree || latestSend >= earliest) continue;
    chosen = server;
    earliest = latestSend;
  }
  return chosen;
}

/**
 * Sticky: the one that the client's address belongs to, free or not.
 * @param {TcpHandle} client
 * @param {readonly Server[]} servers
 */
export function chooseOwn(client, servers) {
  /** @type {Address} */
  const remote = {};
  client.getpeername?.(remote);
  // Without an address, it was closed by the client already.
  const { address = '' } = remote;
  const server = chooseWorker(address, servers);
  if (!server || server.worker.connected) return server;
  // What is sent to a worker that turns out to be dead is handed on after its exit.
  return (
    chooseWorker(
      address,
      servers.filter(({ worker }) => worker.connected),
    ) ?? server
  );
}

/**
 * Which worker a client belongs to: rendezvous hashing (D. Thaler and C. Ravishankar, "Using
 * Name-Based Mappings to Increase Hit Rates", IEEE/ACM Transactions on Networking 6(1), 1998). Each
 * slot has a weight for each client, and the highest one wins. So when a slot has no worker, only its
 * clients move, each to its second choice; when it has one again, they come back.
 */

/** 2^32 divided by the golden ratio, odd: multiples of it differ in all bits. */
const SPREAD = 0x9e3779b1;
/** An IPv4 client of a socket that listens on `::`. */
const MAPPED = '::ffff:';

/**
 * @template {{slot: number}} Worker
 * @param {string} address of the client, without its port
 * @param {readonly Worker[]} workers that serve, oldest first
 * @returns {Worker | null} null: none serves. If two of the slot serve, the newer one
 */
export function chooseWorker(address, workers) {
  const client = hash(address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address);
  let chosen = null;
  let highest = -1;
  for (const worker of workers) {
    // Both steps are bijections, so two slots never have the same weight.
    const weight = mix(client ^ Math.imul(worker.slot + 1, SPREAD));
    if (weight < highest) continue;
    highest = weight;
    chosen = worker;
  }
  return chosen;
}

/** FNV-1a, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/). @param {string} text */
function hash(text) {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value;
}

/** The finalizer of MurmurHash3: each bit depends on all bits. @param {number} value */
function mix(value) {
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
