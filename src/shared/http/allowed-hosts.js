/**
 * Which names in the `Host` of a request an HTTP server of ours answers. A web page may point its own
 * name at a loopback address and read what answers there (DNS rebinding), but it cannot forge an
 * address or a name that somebody allowed.
 */
import { isIP } from 'node:net';

/**
 * @param {string | undefined} header `Host` of a request; old clients, but no browser, send none
 * @param {readonly string[]} names that are allowed besides addresses and localhost
 * @returns {boolean}
 */
export function isAllowedHost(header, names) {
  if (header === undefined) return true;
  const [, address, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header) ?? [];
  if (address !== undefined) return isIP(address) === 6;
  const host = name.toLowerCase().replace(/\.$/, '');
  if (isIP(host) !== 0 || host === 'localhost' || host.endsWith('.localhost')) return true;
  return names.some((allowed) => allowed.toLowerCase() === host);
}
