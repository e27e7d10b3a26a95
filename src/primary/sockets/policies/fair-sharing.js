/**
 * `scheduling: fair`, the primary's side: workers accept from a shared socket and report how many
 * connections they have open. They are notified of a limit, and what exceeds it comes here, on its way
 * to the worker with the fewest.
 */
import { setImmediate } from 'node:timers';
import { chooseReceiver, isNoteworthy, limitFor } from '../../../lifecycle/fair-share.js';
import { AGENT_CMD } from '../../worker/agent-reports.js';
import { pathOf } from '../addresses/path-of-key.js';
import { handedTo } from '../handover/handed.js';
import { watchEnd } from '../handover/worker-end.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Server } from '../handover/admission.js'
 * @import { ConnectionQueue } from '../handover/connection-queue.js'
 * @import { Queues } from '../handover/queues.js'
 * @import { TcpHandle } from './listening-socket.js'
 */

/** Between two updates of the limits. */
const UPDATE_INTERVAL_MS = 20;

/**
 * @typedef {object} Load of a worker at one address, as far as it is known
 * @property {number} open connections, with those that it was handed since its last report
 * @property {number} waiting connections that it has accepted and that are to be handed on
 * @property {number | null} limit that it was notified of
 *
 * @typedef {object} FairAddress
 * @property {Map<ChildProcess, Load>} loads
 * @property {ConnectionQueue} queue
 * @property {NodeJS.Timeout} [timer] runs while connections wait and no worker listens
 *
 * @typedef {object} FairRules
 * @property {() => number} maxWaiting connections that may wait while no worker listens
 * @property {() => number} holdTimeoutMs how long they may
 * @property {(count: number) => void} onGivenUp connections were closed that no worker has served
 *
 * @typedef {{key: string, seq: number, client: TcpHandle}} Surplus
 */

export class FairSharing {
  /** By key, as node:cluster names it. @type {Map<string, FairAddress>} */
  #addresses = new Map();
  /** What was read from a worker and not confirmed yet. @type {Map<ChildProcess, Surplus[]>} */
  #unconfirmed = new Map();
  /** Gives out what was confirmed, once that is written. @type {Map<() => void, ChildProcess>} */
  #confirming = new Map();
  /** Which worker has handed on a connection. @type {WeakMap<TcpHandle, ChildProcess>} */
  #senders = new WeakMap();
  #isUpdating = false;
  #hasChanged = false;

  /** @param {Queues} queues @param {FairRules} rules */
  constructor(queues, rules) {
    this.queues = queues;
    this.rules = rules;
    queues.admission.onChange.add(() => this.#updateSoon());
  }

  get isIdle() {
    return (
      this.#unconfirmed.size + this.#confirming.size === 0 &&
      [...this.#addresses.values()].every(({ queue }) => queue.isIdle)
    );
  }

  /** @param {ChildProcess} worker that has been started */
  join(worker) {
    worker.on('internalMessage', (message) => {
      if (message?.cmd === AGENT_CMD && message.loads) this.#onLoads(worker, message.loads);
      if (message?.cmd === 'NODE_CLUSTER' && message.act === 'close')
        this.#leave(worker, message.key);
    });
    worker.on('surplus', (message, client) => this.#onSurplus(worker, message, client));
    worker.once('exit', () => this.#leave(worker));
    worker.once('disconnect', () => this.#leave(worker));
    // Node never reports what became of a message behind a handle that was not acknowledged.
    watchEnd(worker, () => {
      for (const [give, confirmed] of this.#confirming) if (confirmed === worker) give();
    });
    handedTo(worker).onFree.add(() => this.#updateSoon());
  }

  /**
   * @param {ChildProcess} worker that is about to listen
   * @param {string} key
   * @param {boolean} waits for connections until it is admitted
   * @returns {number | null} its limit at first
   */
  listens(worker, key, waits) {
    const { loads } = this.#addressOf(key);
    const others = [...loads.values()].map(({ open }) => open);
    const limit = waits ? 0 : limitFor([...others, 0]);
    loads.set(worker, { open: 0, waiting: 0, limit });
    return limit;
  }

  /** @param {string} key @returns {FairAddress} */
  #addressOf(key) {
    const known = this.#addresses.get(key);
    if (known) return known;
    const queue = this.queues.open({
      address: () => addressOf(key),
      choose: (client, servers) => this.#choose(key, client, servers),
      takesBack: true,
      ...this.rules,
    });
    /** @type {FairAddress} */
    const address = { loads: new Map(), queue };
    this.#addresses.set(key, address);
    return address;
  }

  /** @param {ChildProcess} worker @param {string} [key] default: everywhere */
  #leave(worker, key) {
    for (const [each, { loads }] of this.#addresses) {
      if (key === undefined || each === key) loads.delete(worker);
    }
    this.#updateSoon();
  }

  /** Programs can forge the report. @param {ChildProcess} worker @param {Record<string, unknown>} report */
  #onLoads(worker, report) {
    for (const [key, open] of Object.entries(report)) this.#note(worker, key, { open, waiting: 0 });
    this.#updateSoon();
  }

  /** @param {ChildProcess} worker @param {unknown} key @param {{open: unknown, waiting: unknown}} report */
  #note(worker, key, { open, waiting }) {
    const load = this.#addresses.get(String(key))?.loads.get(worker);
    if (!load) return false;
    load.open = Math.max(0, Number(open) || 0);
    load.waiting = Math.max(0, Number(waiting) || 0);
    return true;
  }

  /**
   * Programs can forge the message.
   * @param {ChildProcess} worker
   * @param {any} message
   * @param {TcpHandle | null} client null: there was no descriptor left for it
   */
  #onSurplus(worker, { key, seq, open, waiting }, client) {
    if (!client) return this.#reply(worker, { lost: seq });
    if (!this.#addresses.has(key)) return client.close();
    this.#note(worker, key, { open, waiting });
    this.#updateSoon();
    const unconfirmed = this.#unconfirmed.get(worker);
    const surplus = { key, seq, client };
    if (unconfirmed) return void unconfirmed.push(surplus);
    this.#unconfirmed.set(worker, [surplus]);
    // All that can be read now is confirmed at once.
    setImmediate(() => this.#confirm(worker));
  }

  /**
   * A worker serves what was not confirmed before this primary died. So nobody gets a connection
   * before its confirmation has been written.
   * @param {ChildProcess} worker
   */
  #confirm(worker) {
    const confirmed = this.#unconfirmed.get(worker) ?? [];
    this.#unconfirmed.delete(worker);
    const give = () => {
      if (!this.#confirming.delete(give)) return;
      for (const { key, client } of confirmed) {
        this.#senders.set(client, worker);
        this.#addressOf(key).queue.give(client);
      }
    };
    this.#confirming.set(give, worker);
    this.#reply(worker, { received: confirmed.at(-1)?.seq }, give);
  }

  /** @param {ChildProcess} worker @param {object} reply @param {() => void} [onWritten] also if it is dead */
  #reply(worker, reply, onWritten = () => {}) {
    worker.send({ cmd: AGENT_CMD, type: 'surplus', ...reply }, onWritten);
  }

  /** @param {string} key @param {TcpHandle} client @param {readonly Server[]} servers */
  #choose(key, client, servers) {
    const { loads } = this.#addressOf(key);
    const sender = this.#senders.get(client);
    const receivers = servers.map((server) => ({
      server,
      load: loads.get(server.worker)?.open ?? 0,
      isSender: server.worker === sender,
      isFree: handedTo(server.worker).isFree,
      isLate: handedTo(server.worker).isLate,
    }));
    const { server } = chooseReceiver(receivers, this.#limitAt(key, servers)) ?? {};
    const load = server && loads.get(server.worker);
    if (load) load.open += 1;
    return server ?? null;
  }

  #updateSoon() {
    this.#hasChanged = true;
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    setImmediate(() => {
      this.#hasChanged = false;
      for (const [key, address] of this.#addresses) this.#update(key, address);
      setTimeout(() => {
        this.#isUpdating = false;
        if (this.#hasChanged) this.#updateSoon();
      }, UPDATE_INTERVAL_MS).unref();
    });
  }

  /** @param {string} key @param {FairAddress} address */
  #update(key, address) {
    const { loads, queue } = address;
    const servers = this.queues.admission.serversAt(addressOf(key));
    const limit = this.#limitAt(key, servers);
    for (const [worker, load] of loads) {
      const isServer = servers.some((server) => server.worker === worker);
      this.#notify(worker, key, load, isServer || servers.length === 0 ? limit : 0);
    }
    if (servers.length === 0 && !queue.isIdle) {
      address.timer ??= setTimeout(() => queue.giveUpWaiting(), this.rules.holdTimeoutMs());
      return;
    }
    clearTimeout(address.timer);
    address.timer = undefined;
    if (loads.size > 0 || !queue.isIdle) return;
    queue.close();
    this.#addresses.delete(key);
  }

  /** @param {string} key @param {readonly Server[]} servers */
  #limitAt(key, servers) {
    const { loads } = this.#addressOf(key);
    // A late worker takes none, so its share is for the others.
    const taking = servers.filter(({ worker }) => !handedTo(worker).isLate);
    return limitFor(
      taking.map(({ worker }) => {
        const { open = 0, waiting = 0 } = loads.get(worker) ?? {};
        return open + waiting;
      }),
    );
  }

  /** @param {ChildProcess} worker @param {string} key @param {Load} load @param {number | null} limit */
  #notify(worker, key, load, limit) {
    if (!worker.connected || !isNoteworthy(load.limit, limit)) return;
    load.limit = limit;
    worker.send({ cmd: AGENT_CMD, type: 'connection-limit', key, limit }, () => {});
  }
}

/** @param {string} key @returns {string} as admission knows it */
function addressOf(key) {
  return pathOf(key) || key;
}
