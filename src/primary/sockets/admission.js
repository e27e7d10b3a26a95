/**
 * Which workers have to wait for connections: replacements that are not online yet, at every address that an admitted
 * worker serves. Where the primary accepts, it chooses among the others; where workers do, these are not told to. The
 * messages are the same on Node 20, 22, 24 and 26; if they were not, no worker would wait.
 */
import { channelTo } from '../worker/channel.js';
import { addressOf, pathOf } from './addresses.js';
import { handedTo } from './leases.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { ListeningSockets } from './listening-sockets.js'
 */

/**
 * @typedef {object} Member one worker
 * @property {ChildProcess} worker
 * @property {number} slot
 * @property {boolean} isAdmitted
 * @property {boolean} [standsIn] while the event loop of no admitted one turns
 * @property {Map<string, string>} keys by address that it listens on
 *
 * @typedef {{worker: ChildProcess, slot: number, key: string}} Server a worker at one address, by its key
 */

export class Admission {
  /** The oldest first. @type {Set<Member>} */
  #members = new Set();
  /** By address, until something changes there. @type {Map<string, Server[]>} */
  #servers = new Map();
  /** Called after every change. @type {Set<() => void>} */
  onChange = new Set();
  /** Another primary serves the sockets that this one has inherited: nobody gets a connection here. */
  predecessorServes = false;
  /** Whether the event loop of a worker does not turn, where that is known. @type {(worker: ChildProcess) => boolean} */
  isBlocked = () => false;

  /** @param {Pick<Member, 'worker' | 'slot' | 'isAdmitted'>} options */
  join(options) {
    /** @type {Member} */
    const member = { ...options, keys: new Map() };
    this.#members.add(member);
    return {
      listens: (/** @type {string} */ key, /** @type {string} */ address) => {
        member.keys.set(address, key);
        this.update();
      },
      closed: (/** @type {string} */ key) => {
        for (const [address, each] of member.keys) if (each === key) member.keys.delete(address);
        this.update();
      },
      leave: () => {
        this.#members.delete(member);
        this.update();
      },
    };
  }

  /**
   * @param {ChildProcess} worker that is online
   * @param {boolean} [mayServe] false: not where another is admitted
   * @param {boolean} [standsIn]
   */
  admit(worker, mayServe = true, standsIn = false) {
    for (const member of this.#members) {
      if (member.worker !== worker) continue;
      if (member.isAdmitted === mayServe && member.standsIn === standsIn) continue;
      Object.assign(member, { isAdmitted: mayServe, standsIn });
      this.update();
    }
  }

  /** @param {string} address @returns whether somebody serves there while all others are blocked */
  hasStandIn(address) {
    return [...this.#members].some(({ standsIn, keys }) => standsIn && keys.has(address));
  }

  /** The other primary stops: from now on workers get connections here. */
  begin() {
    this.predecessorServes = false;
    this.update();
  }

  /** @param {string} address @returns {readonly Server[]} the workers that get connections there, oldest first */
  serversAt(address) {
    const servers = this.#servers.get(address) ?? this.#findServers(address);
    this.#servers.set(address, servers);
    return servers;
  }

  /** @param {string} address */
  #findServers(address) {
    if (this.predecessorServes) return [];
    const listeners = [...this.#members].flatMap(({ keys, ...member }) => {
      const key = keys.get(address);
      return key === undefined ? [] : [{ ...member, key }];
    });
    const admitted = listeners.filter(({ isAdmitted }) => isAdmitted);
    const turning = admitted.filter(({ worker }) => !this.isBlocked(worker));
    const waits = (/** @type {typeof listeners[number]} */ { key, standsIn }) =>
      (standsIn ? turning : admitted).some((each) => each.key === key);
    return listeners.filter((each) => each.isAdmitted || !waits(each));
  }

  /** Also when a worker is blocked, or no longer is. */
  update() {
    this.#servers.clear();
    for (const callback of this.onChange) callback();
  }
}

/**
 * Notes where a worker listens, and withholds connections from one that has to wait for them.
 * @param {ChildProcess} child
 * @param {ListeningSockets} sockets
 * @param {{slot: number, mustProveItself: boolean}} worker mustProveItself: it waits, unless no such worker serves
 */
export function withholdConnections(child, sockets, { slot, mustProveItself }) {
  const channel = channelTo(child);
  channel.listensOn(sockets);
  const member = sockets.admission.join({ worker: child, slot, isAdmitted: !mustProveItself });
  handedTo(child).onFree.add(() => sockets.queues.takeTurns());
  const { send } = child;
  const pass = (/** @type {any[]} */ ...args) => Reflect.apply(send, child, args);
  /** @param {any} message of node:cluster @param {any} handle @param {any[]} rest */
  const grant = (message, handle, rest) => {
    const { key } = message;
    // The program may look for the socket's file as soon as it listens.
    sockets.unixPaths.restore();
    // Who else may connect, which node:cluster (Node 20 to 26) ignores in a shared socket. Programs can forge it.
    const { readableAll, writableAll } = channel.request ?? {};
    const mode = (readableAll === true ? 1 : 0) | (writableAll === true ? 2 : 0);
    if (mode !== 0) handle?.fchmod?.(mode);
    const isUdp = typeof handle?.listen !== 'function';
    if (isUdp) return pass(message, handle, ...rest);
    const told = { ...message, acceptsWhenTold: true };
    if (!sockets.fairSharing) {
      const result = pass(told, handle, ...rest);
      // Afterwards, because it may be sent a connection at once.
      member.listens(key, addressOf(handle) || pathOf(key));
      return result;
    }
    // Before, because it must have the socket that it accepts from when it listens.
    member.listens(key, pathOf(key) || key);
    const connectionLimit = sockets.fairSharing.listens(child, key, handle);
    return pass({ ...told, connectionLimit }, handle, ...rest);
  };
  child.send = /** @type {ChildProcess['send']} */ (
    (/** @type {any} */ message, /** @type {any} */ handle, /** @type {any[]} */ ...rest) => {
      const { cmd, ack, key } = message ?? {};
      // node:cluster answers the worker's request to listen.
      const isReply = cmd === 'NODE_CLUSTER' && ack !== undefined && typeof key === 'string';
      if (!isReply) return pass(message, handle, ...rest);
      if (!message.errno) return grant(message, handle, rest);
      channel.cluster.closed(key);
      return pass(message, handle, ...rest);
    }
  );
  channel.onServerClosed.add((key) => member.closed(key));
  child.once('exit', member.leave);
  child.once('disconnect', member.leave);
}
