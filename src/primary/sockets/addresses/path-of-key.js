import path from 'node:path';

/** As node:cluster names the address of a unix socket; Node 20 adds an index. */
const KEY = /^(.*):-1:-1:[^:]*(?::\d+)?$/s;

/** @param {string} key @returns {string} its path as `namePath` writes it; empty: it is not a unix socket */
export function pathOf(key) {
  const [, address] = KEY.exec(key) ?? [];
  return address === undefined ? '' : namePath(address);
}

/**
 * The worker's node:cluster puts its own directory before an abstract name, which begins with NUL.
 * @param {string} address of a unix socket, relative or absolute
 * @returns {string} the same for the same socket
 */
export function namePath(address) {
  const abstract = address.indexOf('\0');
  return abstract >= 0 ? address.slice(abstract) : path.resolve(address);
}
