/** Answers a request. Every answer carries the same headers; errors are one line of plain text. */
/** @import { ServerResponse } from 'node:http' */

/** The page loads nothing from elsewhere, runs no inline script, and is shown in no frame. */
const POLICY = [
  "default-src 'none'",
  ...['script', 'style', 'connect', 'font', 'manifest'].map((kind) => `${kind}-src 'self'`),
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** A request that cannot be carried out. */
export class Refusal extends Error {
  /**
   * @param {number} status of HTTP
   * @param {string} message one line
   * @param {Record<string, string>} [headers]
   */
  constructor(status, message, headers = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** @param {ServerResponse} response before anything else is decided */
export function setHeaders(response) {
  response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
}

/** @param {ServerResponse} response @param {unknown} value @param {number} [status] */
export function sendJson(response, value, status = 200) {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

/** @param {ServerResponse} response */
export function sendNothing(response) {
  response.writeHead(204).end();
}

/** @param {ServerResponse} response @param {Refusal} refusal */
export function refuse(response, { status, message, headers }) {
  const type = { 'Content-Type': 'text/plain; charset=utf-8' };
  response.writeHead(status, { ...type, ...headers }).end(`${message}\n`);
}
