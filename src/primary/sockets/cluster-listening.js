/**
 * The one file that leans on how node:cluster opens its sockets in the primary: round-robin by
 * the public `net.Server#listen`, whose `_handle` it takes, shared by `net._createServerHandle`.
 * The same on Node 20, 22, 24 and 26; where it is not as expected, nothing is kept and
 * node:cluster behaves as it always does.
 */
import net from 'node:net';
import path from 'node:path';

/** @import { TcpHandle } from './listening-socket.js' */

/** How often a path is bound to when its file is gone at once. */
const MAX_BINDS = 5;

/**
 * @typedef {object} Opening
 * @property {(name: string) => TcpHandle | null} take the handle that is held for that address
 * @property {(name: string, handle: TcpHandle) => void} opened node:cluster uses this one now
 * @property {(handle: TcpHandle) => void} openedUnkept and this one, which is not kept: a unix
 *   socket, a descriptor, a port that the system chose
 * @property {(path: string, handle: TcpHandle) => boolean} bound to the path of a unix socket just
 *   now; false: its file is gone already
 */

/**
 * No other server may be opened in this process afterwards: everything that listens is the app's.
 * @param {Opening} opening
 */
export function watchRoundRobin(opening) {
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function (/** @type {any[]} */ ...args) {
    const server = /** @type {net.Server & {_handle: TcpHandle | null}} */ (this);
    const name = nameOf(args[0]);
    const held = name === null ? null : opening.take(name);
    this.once('listening', () => {
      const { _handle: handle } = server;
      if (!handle) return;
      // node:cluster takes the handle in its own listener of this event, after this one.
      process.nextTick(() => {
        if (name === null) opening.openedUnkept(handle);
        else opening.opened(name, handle);
      });
    });
    const begin = () => {
      Reflect.apply(listen, server, held ? [held, args[0].backlog] : args);
      return server._handle;
    };
    if (args[0]?.path) bindPath(args[0].path, opening, begin, () => (server._handle = null));
    else begin();
    return this;
  };
}

/** @param {Opening} opening */
export function watchShared(opening) {
  const internals = /** @type {{_createServerHandle?: Function}} */ (/** @type {unknown} */ (net));
  const create = internals._createServerHandle;
  if (typeof create !== 'function') return;
  internals._createServerHandle = (/** @type {any[]} */ ...args) => {
    const [host, port] = args;
    const begin = () => Reflect.apply(create, net, args);
    if (port === -1 && typeof host === 'string') {
      const handle = bindPath(host, opening, begin);
      if (typeof handle === 'object') opening.openedUnkept(handle);
      return handle;
    }
    const name = nameOf({ host, port });
    const held = name && opening.take(name);
    const handle = held || begin();
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
 * Another worker may remove the file between bind and the look at it, as it would any stale one.
 * @param {string} relative node:cluster shortens a path by making it relative
 * @param {Opening} opening
 * @param {() => any} bind returns the handle, or anything else if it fails
 * @param {() => void} [unbound]
 */
function bindPath(relative, opening, bind, unbound = () => {}) {
  const absolute = path.resolve(relative);
  for (let tries = 1; ; tries++) {
    const handle = bind();
    const isBound = handle !== null && typeof handle === 'object';
    if (!isBound || opening.bound(absolute, handle) || tries === MAX_BINDS) return handle;
    handle.close();
    unbound();
  }
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
