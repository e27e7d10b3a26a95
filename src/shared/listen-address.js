/** The address that a command listens on, as the user typed it, and the names under which it answers. */
import { once } from 'node:events';
import { isIP } from 'node:net';
import { NodeclusterError } from '../errors/error.js';
import { findListeningProcesses, nameListener } from './processes/listening-processes.js';

/** @import { AddressInfo, Server } from 'node:net' */

/**
 * @param {string} text `9100`, `127.0.0.1:9100`, `[::1]:9100`
 * @param {string} [defaultHost] of a port alone
 * @throws {NodeclusterError} E_USAGE
 */
export function readAddress(text, defaultHost = '127.0.0.1') {
  const [, bracketed, plain, digits] =
    /^(?:(?:\[([^\]]+)\]|([^:[\]/\s]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? defaultHost;
  const port = Number(digits);
  const isAddress = digits !== undefined && port <= 65_535;
  if (!isAddress || (bracketed !== undefined && isIP(bracketed) !== 6)) {
    throw notAnAddress(text);
  }
  return { host, port };
}

/** @param {string} text */
export function notAnAddress(text) {
  const detail = `Could not listen on ${JSON.stringify(text)}: it is not an address`;
  const advice = 'Give a port (9100) or host and port: 127.0.0.1:9100, [::1]:9100, 0.0.0.0:9100.';
  return new NodeclusterError('E_USAGE', { detail, advice });
}

/** @param {string} host */
export function isLoopback(host) {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Where it listens: `127.0.0.1:9100`, `[::1]:9100`.
 * @throws {NodeclusterError} E_LISTEN
 * @param {Server} server
 * @param {{host: string, port: number}} address
 */
export async function listenOn(server, { host, port }) {
  const addressWith = (/** @type {number} */ number) =>
    `${host.includes(':') ? `[${host}]` : host}:${number}`;
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const reason = /** @type {NodeJS.ErrnoException} */ (error).code;
    const found = reason === 'EADDRINUSE' && findListeningProcesses({ address: host, port });
    const holder = found && nameListener(found, null);
    throw new NodeclusterError('E_LISTEN', { address: addressWith(port), reason, holder });
  }
  return addressWith(/** @type {AddressInfo} */ (server.address()).port);
}

/**
 * A web page may point its own name at a loopback address and read what answers there (DNS rebinding),
 * but it cannot forge an address or a name that somebody allowed.
 * @param {string | undefined} header `Host` of a request; old clients, but no browser, send none
 * @param {readonly string[]} names that are allowed besides addresses and localhost
 */
export function isAllowedHost(header, names) {
  if (header === undefined) return true;
  const [, address, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header) ?? [];
  if (address !== undefined) return isIP(address) === 6;
  const host = name.toLowerCase().replace(/\.$/, '');
  if (isIP(host) !== 0 || host === 'localhost' || host.endsWith('.localhost')) return true;
  return names.some((allowed) => allowed.toLowerCase() === host);
}
