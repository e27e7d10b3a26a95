/** Who had a port when a program could not get it, remembered since later somebody else may have it, and added to what a primary reports. */
import { isAnyHost, placeAt } from '../lifecycle/listening.js';
import { findListeningProcesses, nameListener } from '../shared/processes/listening-processes.js';

/**
 * @import { ListenFault, SlotState } from '../protocol/shapes.js'
 * @import { Found } from '../shared/processes/listening-processes.js'
 */

/** Workers fail together, and each failure is reported several times. */
const FRESH_MS = 1000;
const MAX_KNOWN = 500;
/** An app may lie, so after a search it gets none for so many times as long. */
const REST = 20;

/** @typedef {{holder: string | undefined, atMs: number}} Known */

export class PortHolders {
  #appsNow;
  #find;
  /** By app. @type {Map<string, {byAddress: Map<string, Known>, restUntilMs: number}>} */
  #apps = new Map();

  /** @param {() => readonly KnownApp[]} appsNow @param {typeof findListeningProcesses} [find] */
  constructor(appsNow, find = findListeningProcesses) {
    this.#appsNow = appsNow;
    this.#find = find;
  }

  /**
   * @param {string} app @param {ListenFault} fault
   * @param {number} [atMs] when it happened (epoch)
   * @returns {string | undefined} words that follow `in use by`; undefined: not known
   */
  holderOf(app, fault, atMs = Date.now()) {
    const own = this.#apps.get(app) ?? { byAddress: new Map(), restUntilMs: 0 };
    const { byAddress, restUntilMs } = own;
    const address = `${fault.address}:${fault.port}`;
    const known = byAddress.get(address);
    if (known && atMs < known.atMs + FRESH_MS) return known.holder;
    // Before this daemon ran: whoever has the port now may have got it later, even the app that failed.
    if (atMs < performance.timeOrigin) return undefined;
    const beginMs = performance.now();
    if (beginMs < restUntilMs) return known?.holder;
    const found = nameHolder(fault, app, this.#appsNow(), () => this.#find(fault));
    const endMs = performance.now();
    const holder = found ?? known?.holder;
    if (byAddress.size >= MAX_KNOWN) byAddress.clear();
    byAddress.set(address, { holder, atMs: Date.now() });
    this.#apps.set(app, { byAddress, restUntilMs: endMs + REST * (endMs - beginMs) });
    return holder;
  }
}

/**
 * @typedef {{name: string, primaryPid: number | null,
 *   slots: readonly Pick<SlotState, 'slot' | 'pid' | 'listening'>[]}} KnownApp
 */

/**
 * Words that follow `in use by`; undefined: not known.
 * @param {ListenFault} fault @param {string} app that has it @param {readonly KnownApp[]} apps whose primaries are found
 * @param {() => Found} find called if none of them reports that address
 */
export function nameHolder(fault, app, apps, find) {
  const isThere = (/** @type {{address: string}} */ { address }) => collide(fault, address);
  const reported = apps.flatMap(({ name, slots }) =>
    slots
      .filter(({ pid, listening }) => pid !== null && listening.some(isThere))
      .map(({ slot }) => ({ name, slot })),
  );
  const other = reported.find(({ name }) => name !== app);
  if (other) return other.name;
  if (reported.length > 0) return `${app}:${reported[0].slot}`;
  return nameListener(find(), apps);
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

/** Of these nothing is read: what the user, or a program, has written. */
const OPAQUE = ['spec', 'data'];

/**
 * Adds who has the port wherever a primary reports that one was in use.
 * @template T
 * @param {T} reported as it was received, and changed here @param {HolderOf} holderOf
 * @param {number} [atMs] when it happened (epoch)
 */
export function explain(reported, holderOf, atMs) {
  const value = /** @type {Record<string, any>} */ (reported);
  if (typeof value !== 'object' || value === null) return reported;
  const { kind, errno, at = value.lastExit?.at ?? atMs } = value;
  if (kind === 'listen' && errno === 'EADDRINUSE') {
    const holder = holderOf(/** @type {ListenFault} */ (value), at);
    if (holder) value.holder = holder;
  }
  for (const [key, each] of Object.entries(value)) {
    if (!OPAQUE.includes(key)) explain(each, holderOf, at);
  }
  return reported;
}
