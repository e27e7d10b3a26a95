/** Where the page is served, what browsers call that place, and which requests their headers allow there. Pure. */
import {
  isLoopback,
  readAddress,
  isAllowedHost,
  notAnAddress,
} from '../../shared/listen-address.js';
import { usageError } from '../../errors/error.js';

/**
 * @import { IncomingHttpHeaders } from 'node:http'
 *
 * @typedef {object} Place
 * @property {{host: string, port: number} | {path: string}} address path: of a unix socket
 * @property {URL | null} publicUrl what a proxy in front is called
 *
 * @typedef {object} Site
 * @property {(host: string | undefined) => boolean} isOwnHost whether a `Host` names this site
 * @property {(host: string) => string} originFor the `Origin` of a page that was loaded from this `Host`
 * @property {string} base the path of the page, with a slash at both ends
 * @property {boolean} isSecure whether browsers use TLS
 */

const UNIX = 'unix:';
const BEYOND =
  'Say which proxy is in front: --behind-proxy https://ops.example/nodecluster/. ' +
  'To look from your own machine, use the default address and `ssh -L 9477:127.0.0.1:9477`.';
const PROXY =
  'Give what browsers open, with the path that the proxy passes on: --behind-proxy https://ops.example/nodecluster/.';

/**
 * @param {{listen: string, behindProxy?: string}} given as the user typed it; listen: `127.0.0.1:9477`, `9477`,
 *   `unix:/run/web.sock`; behindProxy: the URL of the page at the proxy
 * @throws {NodeclusterError} E_USAGE
 */
export function readPlace({ listen, behindProxy }) {
  const publicUrl = behindProxy === undefined ? null : readProxyUrl(behindProxy);
  if (listen.startsWith(UNIX)) {
    const path = listen.slice(UNIX.length);
    if (!path.startsWith('/')) throw notAnAddress(listen);
    return { address: { path }, publicUrl };
  }
  const address = readAddress(listen);
  if (!isLoopback(address.host) && publicUrl === null) {
    const detail = `Not serving the page on ${listen}: without TLS, anyone on the network could read the traffic and hijack a session`;
    throw usageError('web', detail, BEYOND);
  }
  return { address, publicUrl };
}

/** @param {string} text */
function readProxyUrl(text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) {
    throw usageError('web', `${JSON.stringify(text)} is not the URL of a page`, PROXY);
  }
  return url;
}

/** @param {Place} place @returns {Site} */
export function siteOf({ address, publicUrl }) {
  if (publicUrl) {
    return {
      isOwnHost: (host) =>
        host !== undefined &&
        URL.canParse(`http://${host}/`) &&
        new URL(`http://${host}/`).hostname === publicUrl.hostname,
      originFor: () => publicUrl.origin,
      base: publicUrl.pathname.replace(/\/*$/, '/'),
      isSecure: publicUrl.protocol === 'https:',
    };
  }
  const names = 'host' in address ? [address.host] : [];
  return {
    isOwnHost: (host) => host !== undefined && isAllowedHost(host, names),
    originFor: (host) => `http://${host.toLowerCase()}`,
    base: '/',
    isSecure: false,
  };
}

/**
 * @param {IncomingHttpHeaders} headers with a `host` of this site
 * @param {Site} site
 * @param {boolean} isChange a request that changes something must say which page sends it
 * @returns {boolean} whether a request to the API comes from another site
 */
export function isForeign({ host = '', origin, ...headers }, { originFor }, isChange) {
  // Browsers send it where they trust the connection, and no page can change it.
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return true;
  return origin === undefined ? isChange : origin.toLowerCase() !== originFor(host);
}

/** @param {IncomingHttpHeaders} headers @param {string} name @returns {string | null} its value; null: there is none, or more than one */
export function cookieNamed({ cookie = '' }, name) {
  const values = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : null;
}

/** @param {string} name @param {string} value empty: the browser forgets the cookie @param {Site} site @returns {string} `Set-Cookie` */
export function cookieFor(name, value, { base, isSecure }) {
  const secure = isSecure ? '; Secure' : '';
  const age = value === '' ? '; Max-Age=0' : '';
  return `${name}=${value}; Path=${base}; HttpOnly; SameSite=Strict${secure}${age}`;
}
