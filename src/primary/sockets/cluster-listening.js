/**
 * The one file that leans on how node:cluster opens its sockets in the primary: round-robin by
 * the public `net.Server#listen`, whose `_handle` it takes, shared by `net._createServerHandle`.
 * The same on Node 20, 22, 24 and 26; where it is not as expected, nothing is kept and
 * node:cluster behaves as it always does.
 */
import net from 'node:net';
import path from 'node:path';

/**
 * @typedef {import('./listening-socket.js').TcpHandle} TcpHandle
 * @typedef {object} Opening
 * @property {(name: string) => TcpHandle | null} take the handle that is held for that address
 * @property {(name: string, handle: TcpHandle) => void} opened node:cluster uses this one now
 * @property {(path: string | null, handle: TcpHandle) => void} openedUnkept and this one, which is
 *   not kept: a unix socket at that path, a descriptor, a port that the system chose
 */

/**
 * No other server may be opened in this process afterwards: everything that listens is the app's.
 * @param {Opening} opening
 */
export function watchRoundRobin(opening) {
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function (/** @type {any[]} */ ...args) {
    const name = nameOf(args[0]);
    const held = name === null ? null : opening.take(name);
    this.once('listening', () => {
      const { _handle: handle } = /** @type {{_handle?: TcpHandle}} */ (
        /** @type {unknown} */ (this)
      );
      // node:cluster takes the handle in its own listener of this event, after this one.
      if (!handle) return;
      process.nextTick(() => {
        if (name === null) opening.openedUnkept(pathOf(args[0]), handle);
        else opening.opened(name, handle);
      });
    });
    return Reflect.apply(listen, this, held ? [held, args[0].backlog] : args);
  };
}

/** @param {Opening} opening */
export function watchShared(opening) {
  const internals = /** @type {{_createServerHandle?: Function}} */ (/** @type {unknown} */ (net));
  const create = internals._createServerHandle;
  if (typeof create !== 'function') return;
  internals._createServerHandle = (/** @type {any[]} */ ...args) => {
    const [host, port] = args;
    const name = nameOf({ host, port });
    const held = name && opening.take(name);
    const handle = held || Reflect.apply(create, net, args);
    // A number is an error of bind.
    if (name && typeof handle === 'object' && isBound(handle, port)) opening.opened(name, handle);
    return handle;
  };
}

/**
 * EADDRINUSE of bind may come only when a worker listens; then the port is not the one asked for.
 * @param {TcpHandle & {getsockname?: (out: {port?: number}) => number}} handle
 * @param {number} port
 */
function isBound(handle, port) {
  /** @type {{port?: number}} */
  const address = {};
  handle.getsockname?.(address);
  return address.port === port;
}

/**
 * @param {{path?: string}} where
 * @returns {string | null} of a unix socket; node:cluster shortens it by making it relative
 */
function pathOf(where) {
  return where.path ? path.resolve(where.path) : null;
}

/**
 * @param {unknown} where
 * @returns {string | null} null for what is not kept: a unix socket, a descriptor, a port that
 *   the system chooses (the next one would be another)
 */
function nameOf(where) {
  const { port, host } = /** @type {{port?: number, host?: string | null}} */ (where ?? {});
  return typeof port === 'number' && port > 0 ? `${host ?? '*'}:${port}` : null;
}
