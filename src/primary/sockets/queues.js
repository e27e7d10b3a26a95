/** Connections that the primary has, until a worker has them: a queue for each address, and who gets the next one. */
import { fnv1a } from '../../shared/fingerprint.js';
import { handedTo } from './leases.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Admission, Server } from './admission.js'
 * @import { Entry } from './leases.js'
 * @import { Address, TcpHandle } from './listening-sockets.js'
 */

/** The queues of all addresses of an app. They take turns in using workers that have become free. */
export class Queues {
  /** The one that has had its turn most recently is last. @type {Set<ConnectionQueue>} */
  #open = new Set();
  /** How many connections were closed that no worker has served. */
  givenUp = 0;

  /** @param {Admission} admission which worker gets connections where */
  constructor(admission) {
    this.admission = admission;
    admission.onChange.add(() => this.takeTurns());
  }

  /** @param {QueueRules} rules @returns {ConnectionQueue} to be closed at the end */
  open(rules) {
    const queue = new ConnectionQueue(this, rules);
    this.#open.add(queue);
    return queue;
  }

  /** @param {ConnectionQueue} queue */
  closed(queue) {
    this.#open.delete(queue);
  }

  /** A worker may take connections now that could not before. */
  takeTurns() {
    for (const queue of [...this.#open]) {
      if (queue.isIdle) continue;
      // Move it to the back, so that one busy queue cannot starve the others.
      this.#open.delete(queue);
      this.#open.add(queue);
      queue.giveWaiting();
    }
  }
}

/** Connections that wait while no worker listens. */
export const MAX_WAITING = 1000;
/** Descriptors and about 10 MB of memory, if all workers are blocked. */
const MAX_FOR_BUSY = 10_000;
/** All workers have refused a connection, as at their maxConnections: the next attempt comes so much later. */
const REFUSED_PAUSE_MS = 50;

/**
 * @typedef {object} QueueRules
 * @property {string} address of the workers that get them
 * @property {(client: TcpHandle, servers: readonly Server[]) => Server | null} choose null: it waits
 * @property {(worker: ChildProcess) => void} [onSent] a connection is on its way to it
 * @property {boolean} takesBack whether a connection may move to another worker
 * @property {() => boolean} [mayWait] whether connections may while no worker listens; default: they may
 *
 */

/**
 * Connections at one address, until a worker has them. One that does not acknowledge in time may lose its connection to
 * another that is free.
 */
class ConnectionQueue {
  /** @type {TcpHandle[]} */
  #waiting = [];
  /** To workers that have not acknowledged them. @type {Set<Entry>} */
  #sent = new Set();
  /** The workers that have refused a connection since the last pause. @type {WeakMap<TcpHandle, Set<ChildProcess>>} */
  #refusals = new WeakMap();
  /** No worker gets what waits. @type {NodeJS.Timeout | null} */
  #pause = null;
  #isClosed = false;

  /** @param {Queues} queues @param {QueueRules} rules */
  constructor(queues, rules) {
    this.queues = queues;
    this.rules = rules;
  }

  get isIdle() {
    return this.#sent.size + this.#waiting.length === 0;
  }

  /** @param {TcpHandle} client which nobody reads from, and which this queue closes */
  give(client) {
    if (this.#isClosed) return this.#giveUp(client);
    const isRefused = this.#refusals.has(client);
    const server = this.#serverFor(client);
    if (server) return this.#send(server, client);
    const most = this.rules.mayWait?.() === false ? 0 : MAX_WAITING;
    const maxWaiting = this.#servers.length > 0 ? MAX_FOR_BUSY : most;
    if (this.#waiting.length >= maxWaiting) this.#giveUp(client);
    // What has been sent once is older than what waits.
    else if (isRefused) this.#waiting.unshift(client);
    else this.#waiting.push(client);
  }

  /** Gives what waits, and what is overdue elsewhere, to workers that are free by now. */
  giveWaiting() {
    while (this.#waiting.length > 0) {
      const [client] = this.#waiting;
      const server = this.#serverFor(client);
      if (!server) return;
      this.#waiting.shift();
      this.#send(server, client);
    }
    if (!this.rules.takesBack) return;
    for (const sent of this.#sent) {
      if (sent.state !== 'overdue') continue;
      const server = this.rules.choose(sent.client, this.#servers);
      if (!server) return;
      sent.state = 'taken back';
      this.#sent.delete(sent);
      this.#send(server, sent.client);
    }
  }

  giveUpWaiting() {
    for (const client of this.#waiting.splice(0)) this.#giveUp(client);
  }

  /** Closes the connections that wait, and those that workers refuse from now on. */
  close() {
    this.#isClosed = true;
    this.giveUpWaiting();
    this.queues.closed(this);
  }

  get #servers() {
    return this.queues.admission.serversAt(this.rules.address);
  }

  /** @param {TcpHandle} client */
  #serverFor(client) {
    const refusals = this.#refusals.get(client);
    const servers = this.#servers;
    const others = servers.filter(({ worker }) => !refusals?.has(worker));
    if (servers.length > 0 && others.length === 0) {
      // All have refused it.
      this.#refusals.delete(client);
      this.#pause ??= setTimeout(() => {
        this.#pause = null;
        this.giveWaiting();
      }, REFUSED_PAUSE_MS);
    }
    return this.#pause ? null : this.rules.choose(client, others);
  }

  /** @param {Server} server @param {TcpHandle} client */
  #send({ worker, key }, client) {
    this.rules.onSent?.(worker);
    const onEnd = (/** @type {'accepted' | 'refused'} */ outcome) => {
      this.#sent.delete(sent);
      if (outcome === 'accepted') return;
      // It gets it again only after a pause.
      this.#refusals.set(client, (this.#refusals.get(client) ?? new Set()).add(worker));
      this.give(client);
    };
    const onOverdue = this.rules.takesBack ? () => this.giveWaiting() : null;
    const sent = handedTo(worker).send(key, client, { onEnd, onOverdue });
    this.#sent.add(sent);
  }

  /** @param {TcpHandle} client */
  #giveUp(client) {
    this.queues.givenUp += 1;
    client.close();
  }
}

/**
 * Round-robin: of those that have acknowledged what they got, the one that has waited longest.
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
 * Sticky: the one that the client belongs to, free or not.
 * @param {TcpHandle} client
 * @param {readonly Server[]} servers
 */
export function chooseOwn(client, servers) {
  /** @type {Address} */
  const remote = {};
  client.getpeername?.(remote);
  // Without an address, it was closed by the client already.
  const { address = '' } = remote;
  // What is sent to a worker that turns out to be dead goes to another after its exit.
  const connected = servers.filter(({ worker }) => worker.connected);
  return chooseWorker(address, connected.length > 0 ? connected : servers);
}

/**
 * Rendezvous hashing (D. Thaler and C. Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", IEEE/ACM
 * Transactions on Networking 6(1), 1998): each slot has a weight for each client, and the highest wins. When a slot has no
 * worker, only its clients move, each to its second choice; when it has one again, they come back.
 */

/** 2^32 divided by the golden ratio, odd: multiples of it differ in all bits. */
const SPREAD = 0x9e3779b1;
/** An IPv4 client of a socket that listens on `::`. */
const MAPPED = '::ffff:';

/**
 * @template {{slot: number}} Worker
 * @param {string} address of the client, without its port
 * @param {readonly Worker[]} workers that serve, oldest first: of two in a slot, the newer one is chosen
 */
export function chooseWorker(address, workers) {
  const client = fnv1a(address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address);
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

/** The finalizer of MurmurHash3: each bit depends on all bits. @param {number} value */
function mix(value) {
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
