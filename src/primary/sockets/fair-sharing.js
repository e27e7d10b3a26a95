/**
 * `scheduling: fair`, the primary's side: workers accept from a shared socket and report how many connections they have.
 * What exceeds a worker's limit comes here, on its way to the one with the fewest (docs/decisions/connections.md).
 */
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers';
import { chooseReceiver, isNoteworthy, limitFor } from '../../lifecycle/fair-share.js';
import { channelTo } from '../worker/channel.js';
import { pathOf } from './addresses.js';
import { handedTo, SurplusFrom } from './leases.js';
import { chooseFree } from './queues.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Message } from '../worker/channel.js'
 * @import { Server } from './admission.js'
 * @import { Rules, TcpHandle } from './listening-sockets.js'
 * @import { Queues } from './queues.js'
 */

const CORES = availableParallelism();
const UPDATE_INTERVAL_MS = 20;

/**
 * @typedef {object} Load of a worker, as far as it is known
 * @property {number} open connections, with those that it was handed since its last report
 * @property {number} waiting connections that it has accepted and that are to be handed over
 * @property {number | null} limit that it was notified of
 *
 * @typedef {Pick<Rules, 'holdTimeoutMs' | 'isTakingTurns'>} FairRules
 */

export class FairSharing {
  /** By key, as node:cluster names it. @type {Map<string, FairAddress>} */
  #addresses = new Map();
  /** Of the workers that have not ended. @type {Set<SurplusFrom>} */
  #surpluses = new Set();
  #isUpdating = false;
  #hasChanged = false;
  #hasEnded = false;

  /** A worker hands over a connection. @type {(address: string) => void} */
  onSurplus = () => {};

  /** @param {Queues} queues @param {FairRules} rules */
  constructor(queues, rules) {
    this.queues = queues;
    this.rules = rules;
    queues.admission.onChange.add(() => this.updateSoon());
  }

  get isIdle() {
    const parts = [...this.#surpluses, ...[...this.#addresses.values()].map(({ queue }) => queue)];
    return parts.every(({ isIdle }) => isIdle);
  }

  /** @param {ChildProcess} worker that has been started */
  join(worker) {
    const channel = channelTo(worker);
    // Programs can forge the report.
    const note = (/** @type {Message} */ { connections = {} }) => {
      for (const [key, open] of Object.entries(connections)) {
        this.#addresses.get(key)?.note(worker, { open });
      }
      this.updateSoon();
    };
    channel.on('connections', note);
    channel.on('beat', note);
    channel.onServerClosed.add((key) => this.#leave(worker, key));
    this.#surpluses.add(new SurplusFrom(worker, this));
    worker.once('exit', () => this.#leave(worker));
    worker.once('disconnect', () => this.#leave(worker));
    handedTo(worker).onFree.add(() => this.updateSoon());
  }

  /**
   * @param {ChildProcess} worker that is about to listen
   * @param {string} key
   * @returns its limit at first
   */
  listens(worker, key) {
    return this.#addressAt(key).join(worker);
  }

  /** From now on each worker serves what it accepts, since all of them are about to leave. */
  end() {
    this.#hasEnded = true;
  }

  /** @param {string} key */
  #addressAt(key) {
    const address = this.#addresses.get(key) ?? new FairAddress(key, this.queues, this.rules);
    this.#addresses.set(key, address);
    return address;
  }

  /** @param {ChildProcess} worker @param {string} [key] default: everywhere */
  #leave(worker, key) {
    for (const [each, address] of this.#addresses) {
      if (key === undefined || each === key) address.leave(worker);
    }
    this.updateSoon();
  }

  /**
   * Programs can forge it.
   * @param {ChildProcess} worker
   * @param {{key: string, open: unknown, waiting: unknown}} offer
   */
  mayTake(worker, { key, open, waiting }) {
    const address = this.#addresses.get(key);
    if (!address || this.#hasEnded) return false;
    address.note(worker, { open, waiting });
    this.updateSoon();
    this.onSurplus(address.name);
    return true;
  }

  /** @param {ChildProcess} worker @param {string} key @returns {number} its open connections there */
  loadOf(worker, key) {
    return this.#addresses.get(key)?.loadOf(worker) ?? 0;
  }

  /** @param {ChildProcess} worker @param {{key: string, client: TcpHandle}} surplus that it has handed over */
  take(worker, { key, client }) {
    this.#addressAt(key).give(worker, client);
  }

  /** @param {SurplusFrom} surplus of a worker that has ended */
  ended(surplus) {
    this.#surpluses.delete(surplus);
  }

  /**
   * Those that it does not know: at once, because a message behind a connection would not keep its order.
   * @param {ChildProcess} worker
   * @param {Iterable<string>} keys
   * @param {typeof isNoteworthy} [isDue]
   */
  sendLimits(worker, keys, isDue = (known, limit) => known !== limit) {
    /** @type {Record<string, number | null>} */
    const limits = {};
    for (const key of keys) {
      const limit = this.#addresses.get(key)?.takeLimit(worker, isDue);
      if (limit !== undefined) limits[key] = limit;
    }
    if (Object.keys(limits).length > 0) {
      channelTo(worker).sendAtOnce('connection-limits', { limits });
    }
  }

  /** Workers serve, or are judged, that did not or were not before. */
  updateSoon() {
    this.#hasChanged = true;
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    setImmediate(() => {
      this.#hasChanged = false;
      for (const [key, address] of this.#addresses) {
        for (const worker of address.workers) this.sendLimits(worker, [key], isNoteworthy);
        if (!address.look()) this.#addresses.delete(key);
      }
      setTimeout(() => {
        this.#isUpdating = false;
        if (this.#hasChanged) this.updateSoon();
      }, UPDATE_INTERVAL_MS).unref();
    });
  }
}

/** The connections that workers have at one address, and those that they hand over there. */
export class FairAddress {
  /** @type {Map<ChildProcess, Load>} */
  #loads = new Map();
  /** Which worker has handed over a connection. @type {WeakMap<TcpHandle, ChildProcess>} */
  #senders = new WeakMap();
  /** @type {NodeJS.Timeout | undefined} runs while connections wait and no worker listens */
  #timer;

  /** @param {string} key as node:cluster names it @param {Queues} queues @param {FairRules} rules */
  constructor(key, queues, rules) {
    this.name = pathOf(key) || key;
    this.servers = () => queues.admission.serversAt(this.name);
    this.rules = rules;
    this.queue = queues.open({
      address: () => this.name,
      choose: (client, servers) => this.#choose(client, servers),
      // Its next report includes it.
      onSent: (worker) => {
        const load = this.#loads.get(worker);
        if (load) load.open += 1;
      },
      takesBack: true,
    });
  }

  /** @param {ChildProcess} worker that is about to listen @returns {number | null} its limit at first */
  join(worker) {
    const others = [...this.#loads.values()].map(({ open }) => open);
    // The others wait for connections until they are admitted.
    const isServing = this.servers().some((server) => server.worker === worker);
    const limit = isServing ? limitFor([...others, 0], CORES) : 0;
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

  /** @param {ChildProcess} worker @returns {number} connections that it has, with those that it is to hand over */
  loadOf(worker) {
    const { open = 0, waiting = 0 } = this.#loads.get(worker) ?? {};
    return open + waiting;
  }

  /** @param {ChildProcess} sender @param {TcpHandle} client that it has handed over */
  give(sender, client) {
    this.#senders.set(client, sender);
    this.queue.give(client);
  }

  /** Those that listen there, or are about to. */
  get workers() {
    return this.#loads.keys();
  }

  /** @param {ChildProcess} worker that is notified of its limit @param {typeof isNoteworthy} isDue @returns undefined: it is not due */
  takeLimit(worker, isDue) {
    const load = this.#loads.get(worker);
    const servers = this.servers();
    // Those that take turns hand over every connection.
    const isServing = servers.length === 0 || servers.some((server) => server.worker === worker);
    const limit = isServing && !this.#isTakingTurns(servers) ? this.#limitFor(servers) : 0;
    if (!load || !isDue(load.limit, limit)) return undefined;
    load.limit = limit;
    return limit;
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

  /** @param {readonly Server[]} servers */
  #isTakingTurns(servers) {
    return servers.length > 1 && this.rules.isTakingTurns();
  }

  /** @param {readonly Server[]} servers */
  #limitFor(servers) {
    // With the late ones: on a busy machine all seem late for a moment, and one would keep everything.
    const loads = servers.map(({ worker }) => this.loadOf(worker));
    return limitFor(loads, CORES);
  }

  /** @param {TcpHandle} client @param {readonly Server[]} servers */
  #choose(client, servers) {
    if (this.#isTakingTurns(servers)) return chooseFree(client, servers);
    const sender = this.#senders.get(client);
    const receivers = servers.map((server) => {
      const { isFree, isLate } = handedTo(server.worker);
      const load = this.#loads.get(server.worker)?.open ?? 0;
      return { server, load, isSender: server.worker === sender, isFree, isLate };
    });
    return chooseReceiver(receivers, this.#limitFor(servers))?.server ?? null;
  }
}
