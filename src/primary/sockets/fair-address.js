/** `scheduling: fair`, one address: the connections that workers have and hand over there, and which of them accept. */
import { availableParallelism } from 'node:os';
import {
  ALL_OF,
  CALM_MS,
  FEWEST,
  acceptorsOf,
  chooseReceiver,
  limitFor,
  neededFor,
  stillNeeded,
} from '../../lifecycle/fair-share.js';
import { channelTo } from '../worker/channel.js';
import { pathOf } from './addresses.js';
import { handedTo } from './leases.js';
import { chooseFree } from './queues.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { isNoteworthy } from '../../lifecycle/fair-share.js'
 * @import { Server } from './admission.js'
 * @import { FairSharing } from './fair-sharing.js'
 * @import { Rules, TcpHandle } from './listening-sockets.js'
 *
 * @typedef {object} Load of a worker, as far as it is known
 * @property {number} open connections, with those that it was handed since its last report
 * @property {number} waiting connections that it has accepted and that are to be handed over
 * @property {number | null} limit that it was notified of
 *
 * @typedef {Pick<Rules, 'holdTimeoutMs' | 'isTakingTurns'>} FairRules
 */

const CORES = availableParallelism();
/** After a worker had no descriptor left for the socket. */
const RETRY_MS = 500;
/** Between two reports of a worker with connections; all workers send theirs at the same moment. */
export const TURNS_EVERY_MS = 25;
/** Between two of an idle one: few accept, so these cost little. */
export const RESTS_EVERY_MS = 500;
const REPORTS = { turnsEveryMs: TURNS_EVERY_MS, restsEveryMs: RESTS_EVERY_MS };

export class FairAddress {
  /** @type {Map<ChildProcess, Load>} */
  #loads = new Map();
  /** Which worker has handed over a connection. @type {WeakMap<TcpHandle, ChildProcess>} */
  #senders = new WeakMap();
  /** @type {NodeJS.Timeout | undefined} runs while connections wait and no worker listens */
  #timer;
  /** What workers accept from; null: none listens. @type {TcpHandle | null} */
  #handle = null;
  /** Workers that accept, and whether they report that their loops turn. @type {Map<ChildProcess, boolean>} */
  #accepting = new Map();
  /** How many had to accept lately, and when. */
  #most = 0;
  #mostMs = 0;
  /** @type {NodeJS.Timeout | undefined} until so few are enough as always accept */
  #calming;

  /** @param {string} key as node:cluster names it @param {Pick<FairSharing, 'queues' | 'rules' | 'turns' | 'clock'>} sharing */
  constructor(key, { queues, rules, turns, clock }) {
    this.key = key;
    this.name = pathOf(key) || key;
    this.admission = queues.admission;
    this.rules = rules;
    this.turns = turns;
    this.clock = clock;
    this.queue = queues.open({
      address: this.name,
      choose: (client, servers) => this.#choose(client, servers),
      // Its next report includes it.
      onSent: (worker) => {
        const load = this.#loads.get(worker);
        if (load) load.open += 1;
      },
      takesBack: true,
    });
  }

  servers() {
    return this.admission.serversAt(this.name);
  }

  /**
   * @param {ChildProcess} worker that is about to listen
   * @param {TcpHandle} handle that node:cluster sends to each
   * @returns {number | null} its limit at first
   */
  join(worker, handle) {
    const others = [...this.#loads.values()].map(({ open }) => open);
    // The others wait for connections until they are admitted.
    const isServing = this.servers().some((server) => server.worker === worker);
    const limit = isServing ? limitFor([...others, 0], CORES) : 0;
    this.#loads.set(worker, { open: 0, waiting: 0, limit });
    if (this.#handle !== handle) this.#accepting.clear();
    this.#handle = handle;
    this.chooseAcceptors();
    return limit;
  }

  /** @param {ChildProcess} worker */
  leave(worker) {
    this.#loads.delete(worker);
    if (this.#loads.size === 0) this.#handle = null;
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

  /** One of those that accept hands over a connection. */
  needMore() {
    const loads = this.servers().map(({ worker }) => this.loadOf(worker));
    const needed = neededFor(loads, CORES);
    if (needed < this.#wanted) return;
    this.#most = needed;
    this.#mostMs = this.clock();
    if (needed > this.#accepting.size) this.chooseAcceptors();
    this.#calming ??= setInterval(() => {
      this.chooseAcceptors();
      if (this.#wanted > FEWEST) return;
      clearInterval(this.#calming);
      this.#calming = undefined;
    }, CALM_MS).unref();
  }

  get #wanted() {
    return stillNeeded(this.#most, this.clock() - this.#mostMs);
  }

  /** What none of them accepts stays in the kernel's queue. */
  chooseAcceptors() {
    const { key, turns } = this;
    const handle = this.#handle;
    if (handle === null) return;
    const before = this.#accepting;
    const servers = this.servers().filter((server) => server.key === key);
    const candidates = servers.map(({ worker }) => ({
      worker,
      load: this.loadOf(worker),
      accepts: before.has(worker),
      isBlocked: turns.isBlocked(worker),
    }));
    const chosen = acceptorsOf(candidates, this.#wanted, CORES);
    // A blocked one could not follow, so it keeps the socket until its event loop turns.
    const kept = candidates.filter(
      (each) => chosen.includes(each) || (each.isBlocked && each.accepts),
    );
    // Where all accept anyway, nobody is called in the place of a blocked one.
    const reports = servers.length > ALL_OF || this.admission.hasStandIn(this.name);
    this.#accepting = new Map(kept.map(({ worker }) => [worker, reports]));
    for (const { worker, accepts } of kept) {
      if (accepts && before.get(worker) === reports) continue;
      if (reports) turns.expect(worker);
      this.#order(worker, { key, ...(reports && REPORTS) }, accepts ? null : handle);
    }
    for (const worker of before.keys()) {
      if (!this.#accepting.has(worker)) channelTo(worker).send('accept-no-more', { key });
    }
  }

  /** @param {ChildProcess} worker @param {object} order @param {TcpHandle | null} socket null: it has it */
  #order(worker, order, socket) {
    const onRefused = () => {
      this.#accepting.delete(worker);
      setTimeout(() => this.chooseAcceptors(), RETRY_MS).unref();
    };
    channelTo(worker).send('accept', order, socket ? { socket, onRefused } : {});
  }
}
