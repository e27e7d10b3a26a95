/** What a health check over HTTP requests, and what its failure is called. */

/**
 * @typedef {object} Target
 * @property {string} path with its query
 * @property {string} host for the header
 * @property {number | null} port null: any
 * @property {URL | null} url null: only a path is given
 */

/** @param {string} http a path or a URL @returns {Target} */
export function targetOf(http) {
  if (http.startsWith('/')) return { path: http, host: 'localhost', port: null, url: null };
  const url = new URL(http);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return { path: url.pathname + url.search, host: url.host, port, url };
}

/**
 * @param {number} status of the response
 * @returns {boolean} as for Kubernetes: 2xx and 3xx
 */
export function isHealthyStatus(status) {
  return status >= 200 && status < 400;
}
