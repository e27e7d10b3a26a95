/** Where `prove` sends its requests. */
import { NodeclusterError, usageError } from '../../errors/error.js';
import { escapeLine } from '../../show/escape.js';

/**
 * @import { RequestOptions } from 'node:https'
 * @import { App, Worker } from '../../protocol/shapes.js'
 *
 * @typedef {object} Place
 * @property {string} text for people
 * @property {'http' | 'https'} protocol
 * @property {RequestOptions} to
 */

/** Addresses of a socket that listens on all of them, and the one to connect to. @type {Record<string, string>} */
const LOOPBACK = { '*': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * @param {Pick<App, 'name' | 'workers'>} app
 * @param {{url?: string}} options `url`: whole, or only a path at the address
 *   that the app listens on
 * @returns {Place}
 * @throws {NodeclusterError} E_USAGE, E_PROVE_ADDRESS
 */
export function placeFor(app, { url = '/' }) {
  if (url.startsWith('/')) return placeOf(listenerOf(app), url);
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    const problem = `--url ${escapeLine(url)} is neither a URL with http or https, nor a path`;
    throw usageError('prove', problem);
  }
  const { hostname, port, pathname, search, protocol } = parsed;
  const to = { host: unbracketed(hostname), port, path: pathname + search };
  return { text: url, protocol: protocol === 'https:' ? 'https' : 'http', to };
}

/** @param {Pick<App, 'name' | 'workers'>} app */
function listenerOf({ name, workers }) {
  const all = new Map(
    workers
      .flatMap(({ listening }) => listening)
      .map((listener) => [/:(\d+)$/.exec(listener.address)?.[1] ?? listener.address, listener]),
  );
  const listeners = [...all.values()];
  const servers = listeners.filter(({ protocol }) => protocol !== undefined);
  const candidates = servers.length > 0 ? servers : listeners;
  if (candidates.length === 1) return candidates[0];
  const addresses = candidates.map(({ address }) => address);
  throw new NodeclusterError('E_PROVE_ADDRESS', { app: name, addresses });
}

/** @param {Worker['listening'][number]} listener @param {string} path @returns {Place} */
function placeOf({ address, protocol: known }, path) {
  const protocol = known ?? 'http';
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? [];
  // The address says who answers, so a certificate for another name proves nothing less.
  const trust = { rejectUnauthorized: false };
  if (port === undefined) {
    const to = { ...trust, socketPath: address, path };
    return { text: `${path} on ${escapeLine(address)}`, protocol, to };
  }
  const bare = unbracketed(host);
  const local = LOOPBACK[bare] ?? bare;
  const shown = local.includes(':') ? `[${local}]` : local;
  const to = { ...trust, host: local, port, path };
  return { text: `${protocol}://${escapeLine(shown)}:${port}${path}`, protocol, to };
}

/** @param {string} host */
function unbracketed(host) {
  return host.replace(/^\[|\]$/g, '');
}
