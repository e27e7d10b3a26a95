/**
 * Opens sockets that share a port by SO_REUSEPORT. Only this file depends on how: the last argument of
 * `net._createServerHandle`, with which node:cluster itself opens its sockets, are flags of libuv. They
 * are the same on Node 22.12, 24 and 26; if they were not, the test below fails and no socket is
 * opened here.
 */
import net from 'node:net';

/** @import { Address, TcpHandle } from './listening-socket.js' */

/** `UV_TCP_REUSEPORT` (https://github.com/libuv/libuv/blob/v1.x/include/uv.h). */
const REUSEPORT = 2;

/**
 * @typedef {(flags: number) => TcpHandle | number} Bind to an address; a number is an error
 *
 * @typedef {TcpHandle & {listen: (backlog: number) => number}} Listenable
 */

/** How to bind another socket to the same address. @type {WeakMap<TcpHandle, Bind>} */
const binders = new WeakMap();

/** @returns {boolean} whether two sockets of this process can share a port */
export function canSharePort() {
  const { _createServerHandle: create } =
    /** @type {{_createServerHandle?: (...args: unknown[]) => Listenable | number}} */ (
      /** @type {unknown} */ (net)
    );
  if (typeof create !== 'function') return false;
  const bind = (/** @type {number} */ port) => create('127.0.0.1', port, 4, -1, REUSEPORT);
  const listens = (/** @type {Listenable | number} */ handle) =>
    typeof handle === 'object' && handle.listen(1) === 0;
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

/** @param {TcpHandle} handle @returns {boolean} whether others can share its port */
export function sharesPort(handle) {
  return binders.has(handle);
}

/** @param {TcpHandle} handle @returns {TcpHandle | null} another one of its address; null: refused */
export function openAnother(handle) {
  const another = binders.get(handle)?.(REUSEPORT);
  return typeof another === 'object' ? another : null;
}
