/**
 * Sockets that a process has as descriptors since it started. `net._createServerHandle`, the same on Node 20, 22, 24 and 26,
 * makes a handle without accepting from it. If it were not, nothing would be inherited.
 */
import net from 'node:net';
import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';

/**
 * The part of Node's internal handles that nodecluster uses.
 * @typedef {object} Handle
 * @property {number} fd
 * @property {() => void} close
 * @property {(out: {address?: string, port?: number}) => number} [getsockname] missing on pipes
 * @property {(out: object) => number} [getpeername] missing on pipes
 *
 * @typedef {object} InheritedSocket
 * @property {string} name the address that it listens on
 * @property {number} fd
 * @property {Handle} [handle] of it in this process
 * @property {boolean} [isLasting] it was opened before the daemon was started, and is never closed
 * @property {boolean} [isPrivileged] the primary could not open it again, so it does not close it
 */

/** @param {number} fd @returns {Handle | null} null: it cannot be used */
export function openSocket(fd) {
  const handle = createHandle(null, null, null, fd);
  return typeof handle === 'object' ? handle : null;
}

/**
 * Bound, but not listening yet; or the error code.
 * @param {string} host an address; `*`: every one
 * @param {number} port
 */
export function bindSocket(host, port) {
  const handle = createHandle(host === '*' ? null : host, port, net.isIP(host), -1, 0);
  if (typeof handle === 'number') return getSystemErrorName(handle);
  // libuv reports a port that is in use only when the socket listens.
  if (listeningAddress(handle)?.port === port) return handle;
  handle.close();
  return 'EADDRINUSE';
}

/** @param {unknown[]} args @returns {Handle | number} a number is an error */
function createHandle(...args) {
  const { _createServerHandle: create } =
    /** @type {{_createServerHandle?: (...args: unknown[]) => Handle | number}} */ (net);
  return create?.(...args) ?? -constants.errno.ENOSYS;
}

/** Null: not a TCP socket, or a connection. @param {Handle} handle */
export function listeningAddress(handle) {
  /** @type {{address?: string, port?: number}} */
  const out = {};
  if (handle.constructor.name !== 'TCP' || handle.getsockname?.(out) !== 0) return null;
  const { address = '', port = 0 } = out;
  const isConnected = handle.getpeername?.({}) === 0;
  return port > 0 && !isConnected ? { address, port } : null;
}
