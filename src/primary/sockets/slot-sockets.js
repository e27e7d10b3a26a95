/**
 * The sockets of one address, over which the kernel spreads connections: one for every two slots, so that a
 * connection wakes two workers at most, however many there are, and does not wait while one of the two is blocked.
 * A socket that is closed takes the connections in its queue with it, so none is closed while the address is
 * served: each generation of a slot's worker gets the same one, and one whose slots have no worker that accepts is
 * accepted from by others.
 */
import net from 'node:net';
import { slotSocketName } from './addresses.js';
import { SharedSocket } from './listening-socket.js';

/** @import { Address, TcpHandle } from './listening-socket.js' */

const SLOTS_PER_SOCKET = 2;

export class SlotSockets extends SharedSocket {
  /** Slots whose sockets listened in an earlier primary. @type {number[]} */
  inherited = [];

  /** @param {ConstructorParameters<typeof SharedSocket>} args */
  constructor(...args) {
    super(...args);
    this.isGroup = binders.has(this.handle);
  }

  /** @param {number} slot @param {TcpHandle} handle that an earlier primary opened for that slot */
  inherit(slot, handle) {
    super.inherit(slot, handle);
    this.inherited.push(slot);
  }

  /** @param {number} slot @returns {TcpHandle} what its worker listens on: that of others if the system refused its own */
  handleOf(slot) {
    if (!this.isGroup) return this.handle;
    // The last of an odd number joins the two before it, since the kernel gives each socket as much.
    const needed = Math.max(1, Math.floor((slot + 1) / SLOTS_PER_SOCKET));
    for (let number = 0; number < needed; number++) {
      if (!this.bySlot.has(number)) this.#open(number);
    }
    const number = Math.min(Math.floor(slot / SLOTS_PER_SOCKET), this.bySlot.size - 1);
    return this.bySlot.get(number) ?? this.handle;
  }

  /** @param {number} number */
  #open(number) {
    const opened = this.bySlot.size === 0 ? this.handle : binders.get(this.handle)?.(REUSEPORT);
    const isOpen = typeof opened === 'object';
    this.bySlot.set(number, isOpen ? opened : this.handle);
    if (isOpen) this.all.handedOver.add(slotSocketName(number, this.name), opened);
  }
}

/**
 * Sockets that share a port by SO_REUSEPORT. Only what follows depends on how: the last argument of
 * `net._createServerHandle`, with which node:cluster itself opens its sockets, are flags of libuv. They
 * are the same on Node 22.12, 24 and 26; if they were not, the test below fails and no socket is
 * opened here.
 */

/** `UV_TCP_REUSEPORT` (https://github.com/libuv/libuv/blob/v1.x/include/uv.h). */
const REUSEPORT = 2;

/** @typedef {(flags: number) => TcpHandle | number} Bind to an address; a number is an error */

/** How to bind another socket that shares the port. @type {WeakMap<TcpHandle, Bind>} */
const binders = new WeakMap();

/** @returns {boolean} whether two sockets of this process can share a port */
export function canSharePort() {
  /** @type {{_createServerHandle?: (...args: unknown[]) => TcpHandle | number}} */
  const { _createServerHandle: create } = /** @type {any} */ (net);
  if (typeof create !== 'function') return false;
  const bind = (/** @type {number} */ port) => create('127.0.0.1', port, 4, -1, REUSEPORT);
  const listens = (/** @type {TcpHandle | number} */ handle) =>
    typeof handle === 'object' && handle.listen?.(1) === 0;
  const first = bind(0);
  /** @type {Address} */
  const address = {};
  if (typeof first === 'object') first.getsockname?.(address);
  const second = bind(address.port ?? 0);
  const sharesPort = listens(first) && listens(second);
  for (const handle of [first, second]) if (typeof handle === 'object') handle.close();
  return sharesPort;
}

/**
 * A second process of the same user could join a port with SO_REUSEPORT. So the port was first bound
 * without it, which fails if anybody listens there.
 * @param {TcpHandle} plain bound without it, and closed here
 * @param {Bind} bind
 * @returns {TcpHandle | number} as `plain` if the system refuses
 */
export function reopenToShare(plain, bind) {
  plain.close();
  const handle = bind(REUSEPORT);
  if (typeof handle === 'number') return bind(0);
  binders.set(handle, bind);
  return handle;
}

/** @param {TcpHandle} handle that an earlier primary may have opened to share its port @param {Bind} bind */
export function rememberBind(handle, bind) {
  binders.set(handle, bind);
}
