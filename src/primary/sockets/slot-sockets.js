/**
 * The sockets of one address, one for each slot, over which the kernel spreads connections. A socket
 * that is closed takes the connections in its queue with it, so none is closed while the address is
 * served: each generation of a slot's worker gets the same one, and one whose slot has no worker that
 * accepts is accepted from by the others.
 */
import { slotSocketName } from './addresses.js';
import { SharedSocket } from './shared-socket.js';
import { openAnother, sharesPort } from './reuseport.js';

/** @import { TcpHandle } from './listening-socket.js' */

export class SlotSockets extends SharedSocket {
  /** A slot has the one of another if the system refused it its own. @type {Map<number, TcpHandle>} */
  #bySlot = new Map();
  /** Slots whose sockets listened in an earlier primary. @type {number[]} */
  inherited = [];
  /** Whether each slot has its own; if not, all have the same one. */
  isGroup;

  /** @param {ConstructorParameters<typeof SharedSocket>} args */
  constructor(...args) {
    super(...args);
    this.isGroup = sharesPort(this.handle);
  }

  /** @param {number} slot @param {TcpHandle} handle that an earlier primary opened for that slot */
  inherit(slot, handle) {
    this.isGroup = true;
    this.inherited.push(slot);
    this.#bySlot.set(slot, handle);
  }

  /** @returns {[string, TcpHandle][]} those that are open, by their names */
  get handles() {
    if (!this.isGroup) return super.handles;
    return this.slots.map(([slot, handle]) => [slotSocketName(slot, this.name), handle]);
  }

  /** @returns {[number, TcpHandle][]} each socket once, with the slot that it was opened for */
  get slots() {
    const entries = [...this.#bySlot];
    return entries.filter(
      ([, handle], at) => entries.findIndex(([, one]) => one === handle) === at,
    );
  }

  /** @param {number} slot @returns {TcpHandle} what its worker listens on */
  handleOf(slot) {
    if (!this.isGroup) return this.handle;
    const known = this.#bySlot.get(slot);
    if (known) return known;
    const isFirst = this.#bySlot.size === 0;
    const opened = isFirst ? this.handle : openAnother(this.handle);
    this.#bySlot.set(slot, opened ?? this.handle);
    if (opened) this.rules.onOpened(slotSocketName(slot, this.name), opened);
    return opened ?? this.handle;
  }

  /** @param {() => void} [callback] */
  end(callback) {
    for (const [, handle] of this.slots) if (handle !== this.handle) handle.close();
    super.end(callback);
  }
}

/**
 * Why connections at an address are not spread by the kernel, though slots can have their own sockets.
 * @param {Iterable<object>} sockets of the app
 * @param {{has: (socket: SlotSockets) => boolean}} lasting those that this primary did not open
 * @returns {string | null} null: each slot has its own
 */
export function plainSocketNote(sockets, lasting) {
  for (const socket of sockets) {
    if (!(socket instanceof SlotSockets) || socket.isGroup) continue;
    const reason = lasting.has(socket)
      ? 'its socket was not opened by the app'
      : 'its socket was opened with another scheduling; to open it again, stop and start the app';
    return `scheduling is fair at ${socket.name}, because ${reason}`;
  }
  return null;
}
