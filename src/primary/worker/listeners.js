/** What one worker listens on, and what of that its next worker will listen on too. */
import { channelTo } from './channel.js';

/**
 * @import { Listener } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from './handle.js'
 *
 * @typedef {Listener & {isFirst: boolean, isChosen: boolean}} OwnListener isFirst: it was there when the worker came
 *   online, so that its next worker will have it too; isChosen: the system chose its port
 */

/** Of one worker. */
const MAX_LISTENING = 1000;
/** After this time online, a worker has opened all sockets that it opens by itself. */
const SETTLE_MS = 1000;

/** By the address. @extends {Map<string, OwnListener>} */
export class Listeners extends Map {
  #worker;
  #closedAtMs = -Infinity;

  /** @param {WorkerHandle} worker */
  constructor(worker) {
    super();
    this.#worker = worker;
  }

  /** @param {Listener} listener @param {boolean} isChosen @returns {boolean} whether it is noted */
  note(listener, isChosen) {
    // Programs can forge the report.
    if (this.size >= MAX_LISTENING && !this.has(listener.address)) return false;
    const isFirst = this.#isSettling;
    this.set(listener.address, { ...listener, isFirst, isChosen });
    this.#worker.launch.hasListened ||= isFirst;
    return true;
  }

  /** @param {string} address */
  noteClosed(address) {
    this.delete(address);
    this.#closedAtMs = performance.now();
  }

  /** Whether it has listened since it came online, and not only because somebody asked for it later. */
  get haveServed() {
    return [...this.values()].some(({ isFirst }) => isFirst);
  }

  /** Where the next worker must listen too. */
  get expected() {
    const own = [...this.values()].filter(({ isFirst, isChosen }) => isFirst && !isChosen);
    return own.map(({ address }) => address);
  }

  /** Whether the worker serves where another one can serve beside it. @returns {boolean | null} null: not known, or not any more */
  get areShared() {
    const { child, listenedAtMs, status } = this.#worker;
    if (status !== 'starting' && status !== 'online') return null;
    if (this.size > 0) return true;
    if (status === 'starting') return null;
    const isLeaving = listenedAtMs !== null && !child?.connected;
    if (isLeaving || performance.now() - this.#closedAtMs < SETTLE_MS) return null;
    return child !== undefined && channelTo(child).hasUdp;
  }

  /** Whether what begins to listen now does so at every start of the program. */
  get #isSettling() {
    const { onlineAtMs, uptimeMs, launch } = this.#worker;
    if (onlineAtMs === null || performance.now() - onlineAtMs < SETTLE_MS) return true;
    return !this.haveServed && uptimeMs < launch.spec.listenTimeoutMs;
  }
}
