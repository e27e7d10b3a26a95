/** Where the page is served, what browsers call that place, and which requests their headers allow there. Pure. */
import { isLoopback, readAddress, isAllowedHost } from '../../shared/listen-address.js';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { IncomingHttpHeaders } from 'node:http'
 *
 * @typedef {object} Place
 * @property {{host: string, port: number} | {path: string}} address path: of a unix socket
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
 * @param {{listen: string, behindProxy?: string}} given as the user typed it; listen: `127.0.0.1:9477`, `9477`,
 *   `unix:/run/web.sock`; behindProxy: the URL of the page at the proxy
 * @throws {NodeclusterError} E_LISTEN_ADDRESS, E_WEB_PROXY_URL, E_WEB_PUBLIC
 */
export function readPlace({ listen, behindProxy }) {
  const publicUrl = behindProxy === undefined ? null : readProxyUrl(behindProxy);
  if (listen.startsWith(UNIX)) {
    const path = listen.slice(UNIX.length);
    if (!path.startsWith('/')) throw new NodeclusterError('E_LISTEN_ADDRESS', { address: listen });
    return { address: { path }, publicUrl };
  }
  const address = readAddress(listen);
  if (!isLoopback(address.host) && publicUrl === null) {
    throw new NodeclusterError('E_WEB_PUBLIC', { address: listen });
  }
  return { address, publicUrl };
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

/** @param {Place} place @returns {Site} */
export function siteOf({ address, publicUrl }) {
  if (publicUrl) {
    return {
      isOwnHost: (host) =>
        URL.canParse(`http://${host}/`) &&
        new URL(`http://${host}/`).hostname === publicUrl.hostname,
      originFor: () => publicUrl.origin,
      base: publicUrl.pathname.replace(/\/*$/, '/'),
      isSecure: publicUrl.protocol === 'https:',
    };
  }
  const names = 'host' in address ? [address.host] : [];
  return {
    isOwnHost: (host) => isAllowedHost(host, names),
    originFor: (host) => `http://${host.toLowerCase()}`,
    base: '/',
    isSecure: false,
  };
}

const WRONG_HOST =
  'This name of the server is not allowed. Use its address, localhost, or the URL that `nodecluster web` was given.';
const OTHER_SITE = 'This request comes from another site.';

/**
 * Asked before anything else: a web page may point its own name at this address (DNS rebinding).
 * @param {IncomingHttpHeaders} headers
 * @param {Site} site
 * @returns {string | null} why the request is refused; null: it is not
 */
export function refusalByHost({ host }, { isOwnHost }) {
  return host !== undefined && isOwnHost(host) ? null : WRONG_HOST;
}

/**
 * @param {IncomingHttpHeaders} headers with a `host` that has passed
 * @param {Site} site
 * @param {boolean} isChange a request that changes something must say which page sends it
 * @returns {string | null} why a request to the API is refused; null: it is not
 */
export function refusalByOrigin({ host = '', origin, ...headers }, { originFor }, isChange) {
  // Browsers send it where they trust the connection, and no page can change it.
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return OTHER_SITE;
  if (origin === undefined) return isChange ? OTHER_SITE : null;
  return origin.toLowerCase() === originFor(host) ? null : OTHER_SITE;
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
