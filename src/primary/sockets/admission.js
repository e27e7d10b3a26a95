/**
 * Which workers have to wait for connections: replacements that are not online yet, at every address
 * that an admitted worker serves. When no such worker is left there, they are admitted at once.
 *
 * Where the primary accepts, it chooses among the others. Where workers do, these get no socket that they could
 * accept from. The messages are the same on Node 20, 22, 24 and 26; if they were not, no worker would wait.
 */
import { channelTo } from '../worker/channel.js';
import { modeOf, nameAddress, pathOf } from './addresses.js';
import { handedTo } from './leases.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { TcpHandle } from './listening-socket.js'
 * @import { ListeningSockets } from './listening-sockets.js'
 */

/**
 * @typedef {object} Member one worker
 * @property {ChildProcess} worker
 * @property {number} slot
 * @property {boolean} isAdmitted
 * @property {(key: string, handle: TcpHandle) => void} onAdmitted it no longer has to wait at that address
 * @property {Map<string, string>} keys of addresses that it listens on, as node:cluster names them,
 *   and the addresses themselves
 * @property {Map<string, TcpHandle>} waiting keys of addresses at which it waits, and their sockets
 *
 * @typedef {{worker: ChildProcess, slot: number, key: string}} Server a worker at one address
 */

export class Admission {
  /** @type {Set<Member>} */
  #members = new Set();
  /** By address; forgotten at every change. @type {Map<string, Server[]> | null} */
  #servers = null;
  /** Called after every change. @type {Set<() => void>} */
  onChange = new Set();
  /** Another primary serves the sockets that this one has inherited: nobody gets a connection here. */
  predecessorServes = false;

  /** @param {Pick<Member, 'worker' | 'slot' | 'isAdmitted' | 'onAdmitted'>} options */
  join(options) {
    /** @type {Member} */
    const member = { ...options, keys: new Map(), waiting: new Map() };
    this.#members.add(member);
    return {
      listens: (/** @type {string} */ key, /** @type {string} */ address) => {
        member.keys.set(key, address);
        this.#update();
      },
      closed: (/** @type {string} */ key) => {
        member.keys.delete(key);
        member.waiting.delete(key);
        this.#update();
      },
      /** @param {string} key @param {TcpHandle} handle of it @param {boolean} isDeferred */
      mustWait: (key, handle, isDeferred) => {
        const waits = isDeferred || (!member.isAdmitted && this.#isServed(key));
        if (waits) member.waiting.set(key, handle);
        return waits;
      },
      leave: () => {
        this.#members.delete(member);
        this.#update();
      },
    };
  }

  /**
   * @param {ChildProcess} worker that is online
   * @param {boolean} [mayServe] false: it gets no connections where another one is admitted
   */
  admit(worker, mayServe = true) {
    for (const member of this.#members) if (member.worker === worker) member.isAdmitted = mayServe;
    this.#update();
  }

  /** The other primary stops: from now on workers get connections here. */
  begin() {
    this.predecessorServes = false;
    this.#update();
  }

  /** @param {string} address @returns {readonly Server[]} the workers that get connections there, oldest first */
  serversAt(address) {
    this.#servers ??= this.#byAddress();
    return this.#servers.get(address) ?? [];
  }

  /** All at once: a program may have a thousand addresses. */
  #byAddress() {
    /** @type {Map<string, Server[]>} */
    const servers = new Map();
    for (const { worker, slot, isAdmitted, keys } of this.#members) {
      for (const [key, address] of keys) {
        if (!this.#mayServe(isAdmitted, key)) continue;
        const others = servers.get(address);
        if (others) others.push({ worker, slot, key });
        else servers.set(address, [{ worker, slot, key }]);
      }
    }
    return servers;
  }

  /** @param {boolean} isAdmitted @param {string} key */
  #mayServe(isAdmitted, key) {
    return !this.predecessorServes && (isAdmitted || !this.#isServed(key));
  }

  /** @param {string} key */
  #isServed(key) {
    return [...this.#members].some(({ isAdmitted, keys }) => isAdmitted && keys.has(key));
  }

  #update() {
    this.#servers = null;
    for (const { isAdmitted, waiting, onAdmitted } of this.#members) {
      for (const [key, handle] of waiting) {
        if (!this.#mayServe(isAdmitted, key)) continue;
        waiting.delete(key);
        onAdmitted(key, handle);
      }
    }
    for (const callback of this.onChange) callback();
  }
}

/**
 * Notes where a worker listens, and withholds connections from one that has to wait for them.
 * @param {ChildProcess} child
 * @param {ListeningSockets} sockets
 * @param {{slot: number, mustProveItself: boolean}} worker mustProveItself: it gets connections once
 *   it is online, or if no such worker serves; if not, at once
 */
export function withholdConnections(child, sockets, { slot, mustProveItself }) {
  const channel = channelTo(child);
  channel.listensOn(sockets);
  /** @param {string} key @param {TcpHandle} handle */
  const onAdmitted = (key, handle) =>
    channel.send('accept-from', { key, slot: null }, { socket: handle });
  const isAdmitted = !mustProveItself;
  sockets.slotSharing.turns.watch(child);
  const member = sockets.admission.join({ worker: child, slot, isAdmitted, onAdmitted });
  handedTo(child).onFree.add(() => sockets.queues.takeTurns());
  const { send } = child;
  const pass = (/** @type {any[]} */ ...args) => Reflect.apply(send, child, args);
  /** @param {any} message of node:cluster @param {any} handle @param {any[]} rest */
  const grant = (message, handle, rest) => {
    const { key, sockname } = message;
    // The program may look for the socket's file as soon as it listens.
    sockets.unixPaths.restore();
    const mode = modeOf(channel.request ?? {});
    if (mode !== 0) handle?.fchmod?.(mode);
    const address = nameAddress(sockname) || pathOf(key) || key;
    const own = sockets.slotSharing.grant(address, handle, slot);
    const listens = () => {
      sockets.owners.add(key, slot);
      member.listens(key, address);
    };
    // It must have the sockets that it accepts from when it listens.
    if (own) listens();
    const { handle: granted, ...settings } = own
      ? { ...own, connectionLimit: sockets.fairSharing?.listens(child, key, false) }
      : sharedBy(child, member, sockets, key, handle);
    const result = pass({ ...message, ...settings }, granted, ...rest);
    // Afterwards, because it may be sent a connection at once.
    if (!own) listens();
    return result;
  };
  child.send = /** @type {ChildProcess['send']} */ (
    (/** @type {any} */ message, /** @type {any} */ handle, /** @type {any[]} */ ...rest) =>
      grantsSocket(message) ? grant(message, handle, rest) : pass(message, handle, ...rest)
  );
  channel.onServerClosed.add((key) => member.closed(key));
  child.once('exit', member.leave);
  child.once('disconnect', member.leave);
}

/**
 * @param {ChildProcess} child
 * @param {ReturnType<ListeningSockets['admission']['join']>} member
 * @param {ListeningSockets} sockets
 * @param {string} key of an address at which all workers have the same socket, if any
 * @param {TcpHandle | undefined} handle
 */
function sharedBy(child, member, sockets, key, handle) {
  if (!handle) return { handle };
  const acceptsLater = member.mustWait(key, handle, sockets.isDeferred(handle));
  const connectionLimit = sockets.fairSharing?.listens(child, key, acceptsLater);
  return { handle, connectionLimit, ...(acceptsLater && { acceptsLater }) };
}

/** @param {any} message @returns {boolean} whether node:cluster grants the worker's request to listen with it */
function grantsSocket(message) {
  const { cmd, ack, errno, key } = message ?? {};
  return cmd === 'NODE_CLUSTER' && ack !== undefined && !errno && typeof key === 'string';
}
