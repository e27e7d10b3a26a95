/** The address that a command listens on, as the user typed it. */
import { once } from 'node:events';
import { isIP } from 'node:net';
import { NodeclusterError } from '../../errors/error.js';

/** @import { AddressInfo, Server } from 'node:net' */

/**
 * @param {string} text `9100`, `127.0.0.1:9100`, `[::1]:9100`
 * @param {string} [defaultHost] of a port alone
 * @returns {{host: string, port: number}}
 * @throws {NodeclusterError} E_LISTEN_ADDRESS
 */
export function readAddress(text, defaultHost = '127.0.0.1') {
  const [, bracketed, plain, digits] =
    /^(?:(?:\[([^\]]+)\]|([^:[\]/\s]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? defaultHost;
  const port = Number(digits);
  const isAddress = digits !== undefined && port <= 65_535;
  if (!isAddress || (bracketed !== undefined && isIP(bracketed) !== 6)) {
    throw new NodeclusterError('E_LISTEN_ADDRESS', { address: text });
  }
  return { host, port };
}

/** @param {string} host */
export function isLoopback(host) {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * @param {Server} server
 * @param {{host: string, port: number}} address
 * @returns {Promise<string>} where it listens: `127.0.0.1:9100`, `[::1]:9100`
 * @throws {NodeclusterError} E_LISTEN
 */
export async function listenOn(server, { host, port }) {
  const addressWith = (/** @type {number} */ number) =>
    `${host.includes(':') ? `[${host}]` : host}:${number}`;
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const reason = /** @type {NodeJS.ErrnoException} */ (error).code;
    throw new NodeclusterError('E_LISTEN', { address: addressWith(port), reason });
  }
  return addressWith(/** @type {AddressInfo} */ (server.address()).port);
}
