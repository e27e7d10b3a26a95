/** Where the page is served, and what browsers call that place. Pure, apart from what the user named. */
import { X509Certificate } from 'node:crypto';
import { isLoopback, readAddress, isAllowedHost } from '../../shared/listen-address.js';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @typedef {object} Place
 * @property {{host: string, port: number} | {path: string}} address path: of a unix socket
 * @property {{cert: string, key: string} | null} tls in PEM
 * @property {URL | null} publicUrl what a proxy in front is called
 *
 * @typedef {object} Site
 * @property {(host: string) => boolean} isOwnHost whether a `Host` names this site
 * @property {(host: string) => string} originFor the `Origin` of a page that was loaded from this `Host`
 * @property {string} base the path of the page, with a slash at both ends
 * @property {boolean} isSecure whether browsers use TLS
 */

const UNIX = 'unix:';

/**
 * @param {object} given as the user typed it
 * @param {string} given.listen `127.0.0.1:9477`, `9477`, `unix:/run/web.sock`
 * @param {string} [given.behindProxy] the URL of the page at the proxy
 * @param {{cert: string, key: string} | null} [given.tls] in PEM
 * @returns {Place}
 * @throws {NodeclusterError} E_LISTEN_ADDRESS, E_WEB_PROXY_URL, E_WEB_PUBLIC
 */
export function readPlace({ listen, behindProxy, tls = null }) {
  const publicUrl = behindProxy === undefined ? null : readProxyUrl(behindProxy);
  if (listen.startsWith(UNIX)) {
    const path = listen.slice(UNIX.length);
    if (!path.startsWith('/')) throw new NodeclusterError('E_LISTEN_ADDRESS', { address: listen });
    return { address: { path }, tls, publicUrl };
  }
  const address = readAddress(listen);
  if (!isLoopback(address.host) && tls === null && publicUrl === null) {
    throw new NodeclusterError('E_WEB_PUBLIC', { address: listen });
  }
  return { address, tls, publicUrl };
}

/** @param {string} text */
function readProxyUrl(text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) {
    throw new NodeclusterError('E_WEB_PROXY_URL', { url: text });
  }
  return url;
}

/**
 * @param {Place} place
 * @returns {Site}
 */
export function siteOf({ address, tls, publicUrl }) {
  if (publicUrl) {
    return {
      isOwnHost: (host) => hostnameOf(host) === publicUrl.hostname,
      originFor: () => publicUrl.origin,
      base: publicUrl.pathname.replace(/\/*$/, '/'),
      isSecure: publicUrl.protocol === 'https:',
    };
  }
  const certificate = tls && new X509Certificate(tls.cert);
  const names = 'host' in address ? [address.host] : [];
  return {
    isOwnHost: (host) =>
      isAllowedHost(host, names) || certificate?.checkHost(host.replace(/:\d*$/, '')) !== undefined,
    originFor: (host) => `${tls ? 'https' : 'http'}://${host.toLowerCase()}`,
    base: '/',
    isSecure: tls !== null,
  };
}

/** @param {string} host of a request @returns {string | null} without its port; null: it is not valid */
function hostnameOf(host) {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : null;
}
