/** `scheduling: fair`: the connections that workers have at one address, and those that they hand on there. */
import { chooseReceiver, isNoteworthy, limitFor } from '../../lifecycle/fair-share.js';
import { pathOf } from './addresses.js';
import { chooseFree } from './choose-worker.js';
import { handedTo } from './handed.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Server } from './admission.js'
 * @import { TcpHandle } from './listening-socket.js'
 * @import { Queues } from './queues.js'
 */

/**
 * @typedef {object} Load of a worker, as far as it is known
 * @property {number} open connections, with those that it was handed since its last report
 * @property {number} waiting connections that it has accepted and that are to be handed on
 * @property {number | null} limit that it was notified of
 *
 * @typedef {object} FairRules
 * @property {() => number} maxWaiting connections that may wait while no worker listens
 * @property {() => number} holdTimeoutMs how long they may
 * @property {() => boolean} isTakingTurns whether each worker must get as many connections as any other
 * @property {(count: number) => void} onGivenUp connections were closed that no worker has served
 */

export class FairAddress {
  /** @type {Map<ChildProcess, Load>} */
  #loads = new Map();
  /** Which worker has handed on a connection. @type {WeakMap<TcpHandle, ChildProcess>} */
  #senders = new WeakMap();
  /** @type {NodeJS.Timeout | undefined} runs while connections wait and no worker listens */
  #timer;

  /** @param {string} key as node:cluster names it @param {Queues} queues @param {FairRules} rules */
  constructor(key, queues, rules) {
    const name = pathOf(key) || key;
    this.servers = () => queues.admission.serversAt(name);
    this.rules = rules;
    this.queue = queues.open({
      address: () => name,
      choose: (client, servers) => this.#choose(client, servers),
      onSent: (worker) => this.#count(worker),
      takesBack: true,
      ...rules,
    });
  }

  /**
   * @param {ChildProcess} worker that is about to listen
   * @param {boolean} waits for connections until it is admitted
   * @returns {number | null} its limit at first
   */
  join(worker, waits) {
    const others = [...this.#loads.values()].map(({ open }) => open);
    const limit = waits ? 0 : limitFor([...others, 0]);
    this.#loads.set(worker, { open: 0, waiting: 0, limit });
    return limit;
  }

  /** @param {ChildProcess} worker */
  leave(worker) {
    this.#loads.delete(worker);
  }

  /** @param {ChildProcess} worker @param {{open: unknown, waiting?: unknown}} report programs can forge it */
  note(worker, { open, waiting }) {
    const load = this.#loads.get(worker);
    if (!load) return;
    load.open = Math.max(0, Number(open) || 0);
    load.waiting = Math.max(0, Number(waiting) || 0);
  }

  /** @param {ChildProcess} sender @param {TcpHandle} client that it has handed on */
  give(sender, client) {
    this.#senders.set(client, sender);
    this.queue.give(client);
  }

  /**
   * @param {ChildProcess} worker
   * @returns {{limit: number | null} | null} null: it knows its limit
   */
  takeLimit(worker) {
    const load = this.#loads.get(worker);
    const limit = this.#limitOf(worker, this.servers());
    if (!load || load.limit === limit) return null;
    load.limit = limit;
    return { limit };
  }

  /** @returns {[ChildProcess, number | null][]} the workers that must be notified of their limit */
  takeChanges() {
    const servers = this.servers();
    /** @type {[ChildProcess, number | null][]} */
    const changes = [];
    for (const [worker, load] of this.#loads) {
      const limit = this.#limitOf(worker, servers);
      if (!isNoteworthy(load.limit, limit)) continue;
      load.limit = limit;
      changes.push([worker, limit]);
    }
    return changes;
  }

  /** @returns {boolean} whether it is in use; if not, it is closed now */
  look() {
    const isWaiting = !this.queue.isIdle && this.servers().length === 0;
    if (isWaiting) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.queue.giveUpWaiting();
      }, this.rules.holdTimeoutMs());
      return true;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#loads.size > 0 || !this.queue.isIdle) return true;
    this.queue.close();
    return false;
  }

  /** @param {ChildProcess} worker @param {readonly Server[]} servers */
  #limitOf(worker, servers) {
    if (this.#isTakingTurns(servers)) return 0;
    const takesSome = servers.length === 0 || servers.some((server) => server.worker === worker);
    return takesSome ? this.#limitFor(servers) : 0;
  }

  /** Then they hand on every connection. @param {readonly Server[]} servers */
  #isTakingTurns(servers) {
    return servers.length > 1 && this.rules.isTakingTurns();
  }

  /** @param {readonly Server[]} servers */
  #limitFor(servers) {
    // With the late ones: on a busy machine all seem late for a moment, and one would keep everything.
    return limitFor(
      servers.map(({ worker }) => {
        const { open = 0, waiting = 0 } = this.#loads.get(worker) ?? {};
        return open + waiting;
      }),
    );
  }

  /** @param {TcpHandle} client @param {readonly Server[]} servers */
  #choose(client, servers) {
    return this.#isTakingTurns(servers)
      ? chooseFree(client, servers)
      : this.#chooseLeast(client, servers);
  }

  /** @param {ChildProcess} worker that gets a connection, which its next report includes */
  #count(worker) {
    const load = this.#loads.get(worker);
    if (load) load.open += 1;
  }

  /** @param {TcpHandle} client @param {readonly Server[]} servers */
  #chooseLeast(client, servers) {
    const sender = this.#senders.get(client);
    const receivers = servers.map((server) => {
      const { isFree, isLate } = handedTo(server.worker);
      const load = this.#loads.get(server.worker)?.open ?? 0;
      return { server, load, isSender: server.worker === sender, isFree, isLate };
    });
    return chooseReceiver(receivers, this.#limitFor(servers))?.server ?? null;
  }
}
