/** Whether a request may pass, as far as its headers say. Pure. */

/**
 * @import { IncomingHttpHeaders } from 'node:http'
 * @import { Site } from './place.js'
 */

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

/**
 * @param {IncomingHttpHeaders} headers
 * @param {string} name
 * @returns {string | null} the value of the cookie; null: there is none, or more than one
 */
export function cookieNamed({ cookie = '' }, name) {
  const values = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : null;
}

/**
 * @param {string} name
 * @param {string} value empty: the browser forgets the cookie
 * @param {Site} site
 * @returns {string} `Set-Cookie`
 */
export function cookieFor(name, value, { base, isSecure }) {
  const secure = isSecure ? '; Secure' : '';
  const age = value === '' ? '; Max-Age=0' : '';
  return `${name}=${value}; Path=${base}; HttpOnly; SameSite=Strict${secure}${age}`;
}
