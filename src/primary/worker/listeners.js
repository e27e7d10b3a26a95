/**
 * What one worker listens on, and where its next worker will. Its agent reports its own sockets; ports of a worker without
 * one, and of processes and threads below any, are looked for in /proc. That costs files, so the looks become rare.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isPrivatePlace, placeAt } from '../../lifecycle/listening.js';
import { within } from '../../shared/deadline.js';
import { inspectorPort } from '../pool/launch.js';
import { listenersOf, readListening, SEES_LISTENERS, servesWithoutTcp } from '../processes/tree.js';
import { channelTo } from './channel.js';

/**
 * @import { Listener } from '../../protocol/shapes.js'
 * @import { TreeListener } from '../processes/tree.js'
 * @import { WorkerHandle } from './handle.js'
 *
 * @typedef {ReturnType<typeof readListening>} Reading
 *
 * @typedef {Listener & {isChosen: boolean}} NewListener isChosen: the system chose its port
 */

const MAX_LISTENING = 1000;
/** After this time online, a worker has opened all sockets that it opens by itself. */
const SETTLE_MS = 1000;
/** After this time without a socket, it has started no program that begins to serve. */
const SLOWEST_CHILD_MS = 60_000;
const FAST_LOOKS_MS = 250;
const SLOW_LOOKS_MS = 1000;
/** Of a worker that has settled. */
const RARE_LOOKS_MS = 60_000;
/** How many times longer each pause is than the one before. */
const LONGER = 4;
/** The longest share of the time that the looks take. */
const MAX_SHARE = 0.05;
const LOOK_MS = 1000;

/** Those who look at about the same time share it: the kernel walks through all connections of the machine for it. */
const SHARED_MS = 200;
let readMs = -Infinity;
/** @type {Reading | undefined} */
let shared;

/**
 * By address; isFirst: since it came online, so that its next worker will have it too.
 * @extends {Map<string, NewListener & {isFirst: boolean}>}
 */
export class Listeners extends Map {
  /** Where only a process or thread below it can listen. @type {readonly (TreeListener & {isFirst: boolean})[]} */
  below = [];
  /** Whether it, or what it has started, may serve where nobody reports it: on a unix socket, or by UDP. */
  mayServeUnseen = SEES_LISTENERS;
  #worker;
  #closedAtMs = -Infinity;
  /** Whether it was settling at the last look: what has begun since may have done so then. */
  #wasSettling = true;

  /** @param {WorkerHandle} worker */
  constructor(worker) {
    super();
    this.#worker = worker;
  }

  /** @param {NewListener} listener @param {boolean} [isFirst] @returns {boolean} whether it is noted */
  note(listener, isFirst = this.#isSettling) {
    // Programs can forge the report.
    if (this.size >= MAX_LISTENING && !this.has(listener.address)) return false;
    this.set(listener.address, { ...listener, isFirst });
    this.#worker.launch.hasListened ||= isFirst;
    return true;
  }

  /** @param {string} address */
  noteClosed(address) {
    this.delete(address);
    this.#closedAtMs = performance.now();
  }

  async watchTree() {
    // An agent reports most of them at once.
    const settlingMs = this.#worker.agent ? SLOW_LOOKS_MS : FAST_LOOKS_MS;
    let pauseMs = settlingMs;
    while (SEES_LISTENERS && this.#isLive) {
      // At whole seconds, to be shared.
      const earlyMs = pauseMs < SLOW_LOOKS_MS ? 0 : performance.now() % SLOW_LOOKS_MS;
      await sleep(pauseMs - earlyMs, undefined, { ref: false });
      const lookMs = performance.now();
      if (!shared || lookMs - readMs > SHARED_MS) {
        readMs = lookMs;
        shared = readListening();
      }
      await this.#lookAtTree(shared);
      const { onlineAtMs } = this.#worker;
      const isSettling = onlineAtMs === null || lookMs - onlineAtMs < SETTLE_MS;
      const longestMs = this.#mayBegin ? SLOW_LOOKS_MS : RARE_LOOKS_MS;
      const nextMs = isSettling ? settlingMs : Math.min(LONGER * pauseMs, longestMs);
      pauseMs = Math.max(nextMs, (performance.now() - lookMs) / MAX_SHARE);
    }
  }

  /** @param {Reading} reading */
  async look(reading) {
    await this.#lookAtTree(reading);
    const { pid } = this.#worker;
    if (!SEES_LISTENERS || pid === null || this.addresses.length > 0) return;
    this.mayServeUnseen = await servesWithoutTcp(pid).catch(() => true);
  }

  /** @param {Reading} reading */
  async #lookAtTree(reading) {
    const { pid, child, launch, agent } = this.#worker;
    if (!SEES_LISTENERS || !this.#isLive || !child || pid === null) return;
    const { all: ofAll, elsewhere } = await reading;
    // An agent reports what this primary shares.
    const all = await listenersOf(pid, agent ? elsewhere : ofAll);
    const found = all.filter(
      ({ address }) => placeAt(address).port !== inspectorPort(child.spawnargs, launch.env),
    );
    if (!this.#isLive) return;
    if (!agent) {
      if (this.#noteAll(found)) this.#worker.noteListening();
      return;
    }
    if (this.#noteBelow(found)) this.#worker.noteCheck();
  }

  /** @param {readonly TreeListener[]} found @returns {boolean} whether that is new */
  #noteBelow(found) {
    const isSettling = this.#noteLook();
    const others = found.filter(({ address }) => !this.has(address) && !isPrivatePlace(address));
    const before = this.below;
    this.below = others.map((other) => {
      const known = before.find(({ address }) => address === other.address);
      return { ...other, isFirst: known?.isFirst ?? isSettling };
    });
    this.#worker.launch.hasListened ||= this.below.some(({ isFirst }) => isFirst);
    const textOf = (/** @type {readonly TreeListener[]} */ all) =>
      JSON.stringify(all.map(({ address, pid }) => [address, pid]));
    return textOf(before) !== textOf(this.below);
  }

  /**
   * All of a worker without an agent. None may also mean that they could not be read.
   * @param {readonly TreeListener[]} found @returns {boolean} whether it has changed
   */
  #noteAll(found) {
    const isSettling = this.#noteLook();
    if (found.length === 0) return false;
    const before = new Map(this);
    const shown = JSON.stringify(this.shown);
    this.clear();
    for (const { address, pid } of found) {
      const by = pid === this.#worker.pid ? undefined : `child ${pid}`;
      const mayBeFirst = isSettling && !(by && isPrivatePlace(address));
      const isFirst = before.get(address)?.isFirst ?? mayBeFirst;
      this.note({ address, protocol: null, by, isChosen: false }, isFirst);
    }
    return shown !== JSON.stringify(this.shown);
  }

  /** Whether what has begun since the last look may have done so while the worker was settling. */
  #noteLook() {
    const wasSettling = this.#wasSettling;
    this.#wasSettling = this.#isSettling || this.#mayBegin;
    return wasSettling;
  }

  /** All, also those below. */
  get addresses() {
    return [...this.keys(), ...this.below.map(({ address }) => address)];
  }

  /** For those who look at the app. @returns {Listener[]} */
  get shown() {
    const own = [...this.values()].map(({ address, protocol, by }) => ({ address, protocol, by }));
    return [...own, ...this.holders.map((holder) => ({ ...holder, protocol: null }))];
  }

  /** Who listens where, below the worker. */
  get holders() {
    return this.below.map(({ address, pid }) => {
      return { address, by: pid === this.#worker.pid ? 'a thread' : `child ${pid}` };
    });
  }

  /** Whether it has listened since it came online, and not only because somebody asked for it later. */
  get haveServed() {
    return [...this.values(), ...this.below].some(({ isFirst }) => isFirst);
  }

  /** Where the next worker must listen too. */
  get expected() {
    const own = [...this.values()].filter(({ isChosen }) => !isChosen);
    return [...own, ...this.below].filter(({ isFirst }) => isFirst).map(({ address }) => address);
  }

  /** Whether the worker serves where another one can serve beside it. @returns {boolean | null} null: not known, or not any more */
  get areShared() {
    const { child, listenedAtMs, status } = this.#worker;
    if (status !== 'starting' && status !== 'online') return null;
    if (this.below.length > 0) return false;
    if (this.size > 0) return true;
    if (status === 'starting') return null;
    const isLeaving = listenedAtMs !== null && !child?.connected;
    if (isLeaving || performance.now() - this.#closedAtMs < SETTLE_MS) return null;
    return child !== undefined && channelTo(child).cluster.hasUdp;
  }

  get #isLive() {
    const { isRunning, status } = this.#worker;
    return isRunning && (status === 'starting' || status === 'online');
  }

  /** Whether a program that it has started may be about to listen in its place. */
  get #mayBegin() {
    return !this.haveServed && this.#worker.uptimeMs < SLOWEST_CHILD_MS;
  }

  /** Whether what begins to listen now does so at every start of the program. */
  get #isSettling() {
    const { onlineAtMs, uptimeMs, launch } = this.#worker;
    if (onlineAtMs === null || performance.now() - onlineAtMs < SETTLE_MS) return true;
    return !this.haveServed && uptimeMs < launch.spec.listenTimeoutMs;
  }
}

/** @param {readonly {workers: readonly WorkerHandle[]}[]} slots @returns when it is known what nobody reports of their workers */
export async function lookAtTrees(slots) {
  const workers = slots.flatMap((slot) => slot.workers);
  const reading = readListening();
  await within(Promise.all(workers.map(({ listening }) => listening.look(reading))), LOOK_MS);
}
