/** The queues of all addresses of an app. They take turns in using workers that have become free. */
import { handedTo } from './handed.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Admission, Server } from './admission.js'
 * @import { TcpHandle } from './listening-socket.js'
 */

export class Queues {
  /** The one that has had its turn most recently is last. @type {Set<ConnectionQueue>} */
  #open = new Set();

  /** @param {Admission} admission which worker gets connections where */
  constructor(admission) {
    this.admission = admission;
    admission.onChange.add(() => this.takeTurns());
  }

  /**
   * @param {Omit<QueueRules, 'servers' | 'onClosed'> & {address: () => string | null}} rules `address`:
   *   as `nameAddress` names it; null: no worker listens there yet
   * @returns {ConnectionQueue} to be closed at the end
   */
  open({ address, ...rules }) {
    const servers = () => {
      const name = address();
      return name === null ? [] : this.admission.serversAt(name);
    };
    const onClosed = () => void this.#open.delete(queue);
    const queue = new ConnectionQueue({ ...rules, servers, onClosed });
    this.#open.add(queue);
    return queue;
  }

  /** A worker may take connections now that could not before. */
  takeTurns() {
    for (const queue of [...this.#open]) {
      if (queue.isIdle) continue;
      // Behind the others, also if it is given a connection while it gives one.
      this.#open.delete(queue);
      this.#open.add(queue);
      queue.giveWaiting();
    }
  }
}

/** Descriptors and about 10 MB of memory, if all workers are blocked. */
const MAX_FOR_BUSY = 10_000;
/** All workers have refused a connection, as at their maxConnections: the next attempt comes so much later. */
const REFUSED_PAUSE_MS = 50;

/**
 * @typedef {(client: TcpHandle, servers: readonly Server[]) => Server | null} Choose null: the
 *   connection waits
 *
 * @typedef {object} QueueRules
 * @property {() => readonly Server[]} servers that get connections at this address
 * @property {Choose} choose
 * @property {(worker: ChildProcess) => void} [onSent] a connection is on its way to it
 * @property {boolean} takesBack whether a connection may move to another worker
 * @property {() => number} maxWaiting connections that may wait while no worker listens
 * @property {(count: number) => void} onGivenUp connections were closed that no worker has served
 * @property {() => void} onClosed
 *
 * @typedef {{client: TcpHandle, worker: ChildProcess, takeBack: () => boolean}} Sent
 */

/**
 * Connections at one address that the primary has, until a worker has them. They go to the worker that the
 * policy chooses. One that does not acknowledge in time may lose its connection to another that is free.
 */
class ConnectionQueue {
  /** @type {TcpHandle[]} */
  #waiting = [];
  /** To workers that have not acknowledged them. @type {Set<Sent>} */
  #sent = new Set();
  /** Those that may be taken back. @type {Set<Sent>} */
  #overdue = new Set();
  /** The workers that have refused a connection since the last pause. @type {WeakMap<TcpHandle, Set<ChildProcess>>} */
  #refusals = new WeakMap();
  /** No worker gets what waits. @type {NodeJS.Timeout | null} */
  #pause = null;
  #isClosed = false;

  /** @param {QueueRules} rules */
  constructor(rules) {
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
    const max = this.rules.servers().length > 0 ? MAX_FOR_BUSY : this.rules.maxWaiting();
    if (this.#waiting.length >= max) this.#giveUp(client);
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
    for (const sent of this.#overdue) {
      const server = this.rules.choose(sent.client, this.rules.servers());
      if (!server) return;
      this.#forget(sent);
      if (sent.takeBack()) this.#send(server, sent.client);
    }
  }

  /** Closes the connections that wait. */
  giveUpWaiting() {
    for (const client of this.#waiting.splice(0)) this.#giveUp(client);
  }

  /** Closes the connections that wait, and those that workers refuse from now on. */
  close() {
    this.#isClosed = true;
    this.giveUpWaiting();
    this.rules.onClosed();
  }

  /** @param {TcpHandle} client */
  #serverFor(client) {
    const refusals = this.#refusals.get(client);
    const servers = this.rules.servers();
    const others = servers.filter(({ worker }) => !refusals?.has(worker));
    if (servers.length > 0 && others.length === 0) this.#pauseAfter(client);
    return this.#pause ? null : this.rules.choose(client, others);
  }

  /** @param {Server} server @param {TcpHandle} client */
  #send({ worker, key }, client) {
    /** @type {Sent} */
    const sent = { client, worker, takeBack: () => false };
    this.#sent.add(sent);
    this.rules.onSent?.(worker);
    const onEnd = (/** @type {'accepted' | 'refused'} */ outcome) => {
      this.#forget(sent);
      if (outcome === 'refused') this.#onRefused(client, worker);
    };
    const onOverdue = () => {
      this.#overdue.add(sent);
      this.giveWaiting();
    };
    const handOver = { onEnd, onOverdue: this.rules.takesBack ? onOverdue : null };
    sent.takeBack = handedTo(worker).send(key, client, handOver);
  }

  /** @param {TcpHandle} client @param {ChildProcess} worker which gets it again only after a pause */
  #onRefused(client, worker) {
    this.#refusals.set(client, (this.#refusals.get(client) ?? new Set()).add(worker));
    this.give(client);
  }

  /** @param {TcpHandle} client that all workers have refused */
  #pauseAfter(client) {
    this.#refusals.delete(client);
    this.#pause ??= setTimeout(() => {
      this.#pause = null;
      this.giveWaiting();
    }, REFUSED_PAUSE_MS);
  }

  /** @param {Sent} sent */
  #forget(sent) {
    this.#sent.delete(sent);
    this.#overdue.delete(sent);
  }

  /** @param {TcpHandle} client */
  #giveUp(client) {
    this.rules.onGivenUp(1);
    client.close();
  }
}
