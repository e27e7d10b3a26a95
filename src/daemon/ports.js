/** Who had a port when a program could not get it, remembered since later somebody else may have it, and added to what a primary reports. */
import { isAnyHost, placeAt } from '../lifecycle/listening.js';
import {
  findListeningProcesses,
  isLeftFile,
  nameListener,
} from '../shared/processes/listening-processes.js';

/**
 * @import { ListenFault, PastExit, Reason, SlotState } from '../protocol/shapes.js'
 * @import { Snapshot } from '../protocol/methods.js'
 * @import { Found } from '../shared/processes/listening-processes.js'
 */

/** Workers fail together, and each failure is reported several times. */
const FRESH_MS = 1000;
const MAX_KNOWN = 500;
/** ms of searching for one app at once, and its share of the time in the long run: it may lie. */
const MAX_SEARCH_MS = 1000;
const SEARCH_SHARE = 0.05;

export class PortHolders {
  #homeNow;
  #find;
  /** By app and address. @type {Map<string, {holder: string | undefined, atMs: number}>} */
  #known = new Map();
  /** Time that searches took, less what was earned back since. @type {Map<string, {spentMs: number, atMs: number}>} */
  #spent = new Map();
  #looks = Promise.resolve();

  /** @param {() => KnownHome} homeNow @param {typeof findListeningProcesses} [find] */
  constructor(homeNow, find = findListeningProcesses) {
    this.#homeNow = homeNow;
    this.#find = find;
  }

  /**
   * @param {string} app @param {ListenFault} fault
   * @param {number} [atMs] when it happened (epoch)
   * @returns {string | undefined} words that follow `in use by`; undefined: not known
   */
  holderOf(app, fault, atMs = Date.now()) {
    const key = JSON.stringify([app, fault.address, fault.port]);
    const known = this.#known.get(key);
    if (known && atMs < known.atMs + FRESH_MS) return known.holder;
    // Before this daemon ran: whoever has the port now may have got it later, even the app that failed.
    if (atMs < performance.timeOrigin) return undefined;
    const holder = this.#search(app, fault) ?? known?.holder;
    const found = { holder, atMs: Date.now() };
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(key, found);
    const { address: file, port } = fault;
    if (holder === undefined && port === undefined && file) {
      const look = isLeftFile(file).then((isLeft) => {
        // Who asks next gets the answer.
        if (isLeft) found.holder = `a file without a listener (rm ${file})`;
      });
      this.#looks = this.#looks.then(() => look);
    }
    return holder;
  }

  /** @returns {Promise<void>} when it is known of the unix socket of each fault whether it was left */
  looked() {
    return this.#looks;
  }

  /** @param {string} app @param {ListenFault} fault */
  #search(app, fault) {
    const beginMs = performance.now();
    const before = this.#spent.get(app) ?? { spentMs: 0, atMs: beginMs };
    const spentMs = Math.max(0, before.spentMs - (beginMs - before.atMs) * SEARCH_SHARE);
    if (spentMs > MAX_SEARCH_MS) return undefined;
    const holder = nameHolder(fault, app, this.#homeNow(), () => this.#find(fault));
    const endMs = performance.now();
    this.#spent.set(app, { spentMs: spentMs + endMs - beginMs, atMs: endMs });
    return holder;
  }
}

/**
 * @typedef {{name: string, primaryPid: number | null, addresses: readonly string[],
 *   slots: readonly Pick<SlotState, 'slot' | 'pid' | 'listening'>[]}} KnownApp addresses: where it listened when that was last
 *   seen
 * @typedef {{apps: readonly KnownApp[], primaryPids: readonly (number | null)[]}} KnownHome apps: whose primaries are found;
 *   primaryPids: of all primaries
 */

/**
 * Words that follow `in use by`; undefined: not known.
 * @param {ListenFault} fault @param {string} app that has it @param {KnownHome} home
 * @param {() => Found} find called if none of them reports that address
 */
export function nameHolder(fault, app, { apps, primaryPids }, find) {
  const isThere = (/** @type {{address: string}} */ { address }) => collide(fault, address);
  const reported = apps.flatMap(({ name, slots }) =>
    slots
      .filter(({ pid, listening }) => pid !== null && listening.some(isThere))
      .map(({ slot }) => ({ name, slot })),
  );
  const other = reported.find(({ name }) => name !== app);
  if (other) return other.name;
  if (reported.length > 0) return `${app}:${reported[0].slot}`;
  const listened = apps.map((each) => {
    const isThere = (/** @type {string} */ address) => collide(fault, address);
    return { ...each, hasListened: each.name !== app && each.addresses.some(isThere) };
  });
  return nameListener(find(), listened, primaryPids);
}

/** @param {ListenFault} fault @param {string} listening an address that a worker reports */
function collide({ address, port }, listening) {
  if (port === undefined) return listening === address;
  const there = placeAt(listening);
  const isSameHost = isAnyHost(there.host) || isAnyHost(address) || there.host === address;
  return there.port === port && isSameHost;
}

/**
 * @typedef {(fault: ListenFault, atMs?: number) => ListenFault['holder']} HolderOf atMs: when it happened (epoch); default: now
 */

/**
 * @template {Reason | null | undefined} T
 * @param {T} reason
 * @param {HolderOf} holderOf
 * @param {number} [atMs]
 * @returns {T} with who has the port, if that is why
 */
function explained(reason, holderOf, atMs) {
  if (reason?.kind !== 'listen' || reason.errno !== 'EADDRINUSE') return reason;
  return { ...reason, holder: holderOf(reason, atMs) ?? reason.holder };
}

/**
 * @template {{reason?: Reason | null, after?: Reason}} T after: why a worker is started again
 * @param {T} failure @param {HolderOf} holderOf @param {number} [atMs]
 */
export function explainFailure(failure, holderOf, atMs) {
  const { reason, after } = failure;
  return {
    ...failure,
    ...(reason && { reason: explained(reason, holderOf, atMs) }),
    ...(after && { after: explained(after, holderOf, atMs) }),
  };
}

/** @template T @param {T} result of a request, which may be an outcome @param {HolderOf} holderOf */
export function explainOutcome(result, holderOf) {
  const { failed } = /** @type {{failed?: unknown}} */ (result ?? {});
  if (!Array.isArray(failed)) return result;
  return { ...result, failed: failed.map((failure) => explainFailure(failure, holderOf)) };
}

/** @param {Snapshot} snapshot @param {HolderOf} holderOf @returns {Snapshot} */
export function explainSnapshot(snapshot, holderOf) {
  const { lastReload } = snapshot;
  const slots = snapshot.slots.map((slot) => explainSlot(slot, holderOf));
  return {
    ...snapshot,
    lastReload: lastReload && explainFailure(lastReload, holderOf, lastReload.at),
    slots,
  };
}

/** @param {SlotState} state @param {HolderOf} holderOf @returns {SlotState} */
function explainSlot(state, holderOf) {
  const { lastExit, earlierExits } = state;
  const explainExit = (/** @type {PastExit} */ exit) => explainFailure(exit, holderOf, exit.at);
  return {
    ...explainFailure(state, holderOf, lastExit?.at),
    lastExit: lastExit && explainExit(lastExit),
    earlierExits: earlierExits.map(explainExit),
  };
}
