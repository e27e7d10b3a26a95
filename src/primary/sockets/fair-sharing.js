/**
 * `scheduling: fair`, the primary's side: workers accept from a shared socket and report how many connections they have.
 * What exceeds a worker's limit comes here, on its way to the one with the fewest (docs/decisions/connections.md).
 */
import { setImmediate } from 'node:timers';
import { isNoteworthy } from '../../lifecycle/fair-share.js';
import { channelTo } from '../worker/channel.js';
import { FairAddress, RESTS_EVERY_MS, TURNS_EVERY_MS } from './fair-address.js';
import { handedTo, SurplusFrom } from './leases.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Message } from '../worker/channel.js'
 * @import { FairRules } from './fair-address.js'
 * @import { TcpHandle } from './listening-sockets.js'
 * @import { Queues } from './queues.js'
 */

/** Of several changes. */
const UPDATE_DELAY_MS = 20;

export class FairSharing {
  /** By key, as node:cluster names it. @type {Map<string, FairAddress>} */
  #addresses = new Map();
  /** Of the workers that have not ended. @type {Set<SurplusFrom>} */
  #surpluses = new Set();
  #isUpdating = false;
  #hasEnded = false;

  /** @param {Queues} queues @param {FairRules} rules @param {() => number} clock in milliseconds */
  constructor(queues, rules, clock = () => performance.now()) {
    this.queues = queues;
    this.rules = rules;
    this.clock = clock;
    const { admission } = queues;
    this.turns = new Turns(() => admission.update(), clock);
    admission.isBlocked = (worker) => this.turns.isBlocked(worker);
    admission.onChange.add(() => {
      for (const address of this.#addresses.values()) address.chooseAcceptors();
      this.updateSoon();
    });
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
    this.turns.watch(worker);
  }

  /**
   * @param {ChildProcess} worker that is about to listen
   * @param {string} key
   * @param {TcpHandle} handle that node:cluster sends to each
   * @returns its limit at first
   */
  listens(worker, key, handle) {
    return this.#addressAt(key).join(worker, handle);
  }

  /** From now on each worker serves what it accepts, since all of them are about to leave. */
  end() {
    this.#hasEnded = true;
  }

  /** @param {string} key */
  #addressAt(key) {
    const address = this.#addresses.get(key) ?? new FairAddress(key, this);
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
    address.needMore();
    return true;
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
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    setTimeout(() => {
      this.#isUpdating = false;
      for (const [key, address] of this.#addresses) {
        for (const worker of address.workers) this.sendLimits(worker, [key], isNoteworthy);
        if (!address.look()) this.#addresses.delete(key);
      }
    }, UPDATE_DELAY_MS).unref();
  }
}

/** A worker whose report is so late is blocked. */
const LATE_MS = 15;
/** A look that is so late means that this primary did not run, so nobody is judged. */
const GAP_MS = 40;

/** Whether the event loops of workers that accept turn, within milliseconds: else clients wait while others are idle. */
export class Turns {
  /** Of workers that accept, when each is to be heard again; Infinity: it is blocked. @type {Map<ChildProcess, number>} */
  #dueMs = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #lookAtMs = Infinity;

  /** @param {() => void} onChange @param {() => number} clock in milliseconds */
  constructor(onChange, clock) {
    this.onChange = onChange;
    this.clock = clock;
  }

  /** @param {ChildProcess} child with an agent */
  watch(child) {
    // null: it accepts no more. Programs can forge the message.
    channelTo(child).on('turns', ({ nextMs }) => this.#hear(child, Number(nextMs)));
    child.once('exit', () => this.#dueMs.delete(child));
  }

  /** @param {ChildProcess} child that accepts from now on, and reports as soon as it has read that */
  expect(child) {
    if (!this.#dueMs.has(child)) this.#hear(child, TURNS_EVERY_MS);
  }

  /** @param {ChildProcess} child */
  isBlocked(child) {
    return this.#dueMs.get(child) === Infinity;
  }

  /** @param {ChildProcess} child @param {number} nextMs until its next report; 0: there is none */
  #hear(child, nextMs) {
    const wasBlocked = this.isBlocked(child);
    const dueMs = this.clock() + Math.min(nextMs, RESTS_EVERY_MS) + LATE_MS;
    if (nextMs > 0) this.#dueMs.set(child, dueMs);
    else this.#dueMs.delete(child);
    if (wasBlocked) this.onChange();
    this.#lookSoon();
  }

  #lookSoon() {
    const nextMs = Math.min(...this.#dueMs.values());
    if (nextMs === Infinity || (this.#timer && nextMs >= this.#lookAtMs)) return;
    clearTimeout(this.#timer);
    this.#lookAtMs = nextMs;
    // What has been reported meanwhile is read first.
    const look = () => setImmediate(() => this.look());
    this.#timer = setTimeout(look, Math.max(1, nextMs - this.clock())).unref();
  }

  look() {
    const nowMs = this.clock();
    const hasRun = nowMs - this.#lookAtMs < GAP_MS;
    this.#timer = undefined;
    this.#lookAtMs = Infinity;
    const late = [...this.#dueMs].filter(([, dueMs]) => nowMs >= dueMs);
    for (const [child] of late) this.#dueMs.set(child, hasRun ? Infinity : nowMs + GAP_MS);
    if (hasRun && late.length > 0) this.onChange();
    this.#lookSoon();
  }
}
