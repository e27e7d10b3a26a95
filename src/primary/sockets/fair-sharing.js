/**
 * `scheduling: fair`, the primary's side: workers accept from a shared socket and report how many
 * connections they have open. They are notified of a limit, and what exceeds it comes here, on its way
 * to the worker with the fewest (docs/decisions/connections.md).
 */
import { setImmediate } from 'node:timers';
import { clockMs } from '../../shared/monotonic.js';
import { AGENT_CMD } from '../worker/agent-reports.js';
import { sendAtOnce } from '../worker/guarded-channel.js';
import { FairAddress } from './fair-address.js';
import { handedTo, watchEnd } from './handed.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { FairRules } from './fair-address.js'
 * @import { TcpHandle } from './listening-socket.js'
 * @import { Queues } from './queues.js'
 */

/** Between two updates of the limits. */
const UPDATE_INTERVAL_MS = 20;

/**
 * @typedef {object} Surplus
 * @property {string} key of its address
 * @property {number} seq
 * @property {number} leaseMs afterwards the worker may have taken it back, until it denies that
 * @property {TcpHandle} client
 */

export class FairSharing {
  /** By key, as node:cluster names it. @type {Map<string, FairAddress>} */
  #addresses = new Map();
  /** What was read from a worker and not confirmed yet. @type {Map<ChildProcess, Surplus[]>} */
  #unconfirmed = new Map();
  /** Gives out what was confirmed, once that is written. @type {Map<() => void, ChildProcess>} */
  #confirming = new Map();
  /** Confirmed too late: by number, until the worker says whose it is. @type {Map<ChildProcess, Map<number, Surplus>>} */
  #asked = new Map();
  #isUpdating = false;
  #hasChanged = false;
  #hasEnded = false;

  /** @param {Queues} queues @param {FairRules} rules */
  constructor(queues, rules) {
    this.queues = queues;
    this.rules = rules;
    queues.admission.onChange.add(() => this.#updateSoon());
  }

  get isIdle() {
    const queues = [...this.#addresses.values()].map(({ queue }) => queue);
    const isEmpty = this.#unconfirmed.size + this.#confirming.size + this.#asked.size === 0;
    return isEmpty && queues.every(({ isIdle }) => isIdle);
  }

  /** @param {ChildProcess} worker that has been started */
  join(worker) {
    worker.on('internalMessage', (message) => {
      const { cmd, act, key, loads, type } = message ?? {};
      if (cmd === AGENT_CMD && type === 'loads' && loads) this.#onLoads(worker, loads);
      if (cmd === AGENT_CMD && type === 'surplus-kept') this.#onDecided(worker, message);
      if (cmd === 'NODE_CLUSTER' && act === 'close') this.#leave(worker, key);
    });
    worker.on('surplus', (message, client) => this.#onSurplus(worker, message, client));
    worker.once('exit', () => this.#leave(worker));
    worker.once('disconnect', () => this.#leave(worker));
    // Whether the confirmation was written is not known then.
    watchEnd(worker, () => {
      for (const [give, confirmed] of this.#confirming) if (confirmed === worker) give();
      // They end with the worker, which may have read from them.
      this.#asked.get(worker)?.forEach(({ client }) => client.close());
      this.#asked.delete(worker);
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
    return this.#addressAt(key).join(worker, waits);
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
    this.#updateSoon();
  }

  /** Programs can forge the report. @param {ChildProcess} worker @param {Record<string, unknown>} loads */
  #onLoads(worker, loads) {
    for (const [key, open] of Object.entries(loads)) {
      this.#addresses.get(key)?.note(worker, { open });
    }
    this.#updateSoon();
  }

  /**
   * Programs can forge the message.
   * @param {ChildProcess} worker
   * @param {any} message
   * @param {TcpHandle | null} client null: there was no descriptor left for it
   */
  #onSurplus(worker, { key, seq, leaseMs, open, waiting }, client) {
    const address = this.#addresses.get(key);
    if (!client || !address || this.#hasEnded) {
      client?.close();
      return this.#reply(worker, { returned: seq });
    }
    address.note(worker, { open, waiting });
    this.#updateSoon();
    const unconfirmed = this.#unconfirmed.get(worker);
    const surplus = { key, seq, leaseMs, client };
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
    const keys = [...new Set(confirmed.map(({ key }) => key))];
    const limits = keys.flatMap((key) => {
      const taken = this.#addresses.get(key)?.takeLimit(worker);
      return taken ? [[key, taken.limit]] : [];
    });
    const give = () => {
      if (!this.#confirming.delete(give)) return;
      const nowMs = clockMs();
      const late = confirmed.filter(({ leaseMs }) => !(nowMs <= leaseMs));
      for (const surplus of confirmed) if (!late.includes(surplus)) this.#give(worker, surplus);
      if (late.length > 0) this.#ask(worker, late);
    };
    this.#confirming.set(give, worker);
    const reply = { received: confirmed.at(-1)?.seq, limits: Object.fromEntries(limits) };
    this.#reply(worker, reply, give);
  }

  /** @param {ChildProcess} worker @param {Surplus} surplus */
  #give(worker, { key, client }) {
    this.#addressAt(key).give(worker, client);
  }

  /** @param {ChildProcess} worker @param {Surplus[]} late what it may have taken back */
  #ask(worker, late) {
    if (!worker.connected) return late.forEach(({ client }) => client.close());
    const asked = this.#asked.get(worker) ?? new Map();
    this.#asked.set(worker, asked);
    for (const surplus of late) asked.set(surplus.seq, surplus);
    this.#send(worker, { type: 'surplus-late', asked: late.map(({ seq }) => seq) });
  }

  /** Programs can forge the message. @param {ChildProcess} worker @param {{asked?: unknown, kept?: unknown}} reply */
  #onDecided(worker, { asked: decided, kept }) {
    const asked = this.#asked.get(worker);
    if (!asked || !Array.isArray(decided) || !Array.isArray(kept)) return;
    for (const seq of decided) {
      const surplus = asked.get(seq);
      if (!surplus) continue;
      asked.delete(seq);
      if (kept.includes(seq)) surplus.client.close();
      else this.#give(worker, surplus);
    }
    if (asked.size === 0) this.#asked.delete(worker);
  }

  /** @param {ChildProcess} worker @param {object} reply @param {() => void} [onWritten] also if it is dead */
  #reply(worker, reply, onWritten) {
    this.#send(worker, { type: 'surplus', ...reply }, onWritten);
  }

  /** @param {ChildProcess} worker @param {object} message @param {() => void} [onWritten] */
  #send(worker, message, onWritten = () => {}) {
    sendAtOnce(worker, { cmd: AGENT_CMD, ...message }, onWritten);
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
    for (const [worker, limit] of address.takeChanges()) {
      const message = { cmd: AGENT_CMD, type: 'connection-limits', limits: { [key]: limit } };
      if (worker.connected) worker.send(message, () => {});
    }
    if (!address.look()) this.#addresses.delete(key);
  }
}
