/** Remembers who had a port when a program could not get it: later somebody else may have it. */
import { nameHolder } from './holder.js';
import { findListeningProcesses } from './listening-processes.js';

/**
 * @import { ListenFault } from '../../protocol/shapes.js'
 * @import { KnownApp } from './holder.js'
 */

/** Workers fail together, and each failure is reported several times. */
const FRESH_MS = 1000;
const MAX_KNOWN = 500;
/** ms of searching for one app at once, and its share of the time in the long run: it may lie. */
const MAX_SEARCH_MS = 1000;
const SEARCH_SHARE = 0.05;

export class PortHolders {
  #appsNow;
  #find;
  /** By app and address. @type {Map<string, {holder: string | undefined, atMs: number}>} */
  #known = new Map();
  /** Time that searches took, less what was earned back since. @type {Map<string, {spentMs: number, atMs: number}>} */
  #spent = new Map();

  /** @param {() => KnownApp[]} appsNow @param {typeof findListeningProcesses} [find] */
  constructor(appsNow, find = findListeningProcesses) {
    this.#appsNow = appsNow;
    this.#find = find;
  }

  /**
   * @param {string} app
   * @param {ListenFault} fault
   * @param {number} [atMs] when it happened (epoch)
   * @returns {string | undefined} words before `listens there`; undefined: not known
   */
  holderOf(app, fault, atMs = Date.now()) {
    const key = JSON.stringify([app, fault.address, fault.port]);
    const known = this.#known.get(key);
    if (known && atMs < known.atMs + FRESH_MS) return known.holder;
    // Before this daemon ran: whoever has the port now may have got it later, even the app that failed.
    if (atMs < performance.timeOrigin) return undefined;
    const holder = this.#search(app, fault);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(key, { holder, atMs: Date.now() });
    return holder;
  }

  /** @param {string} app @param {ListenFault} fault */
  #search(app, fault) {
    const beginMs = performance.now();
    const before = this.#spent.get(app) ?? { spentMs: 0, atMs: beginMs };
    const spentMs = Math.max(0, before.spentMs - (beginMs - before.atMs) * SEARCH_SHARE);
    if (spentMs > MAX_SEARCH_MS) return undefined;
    const holder = nameHolder(fault, app, this.#appsNow(), () => this.#find(fault));
    const endMs = performance.now();
    this.#spent.set(app, { spentMs: spentMs + endMs - beginMs, atMs: endMs });
    return holder;
  }
}
