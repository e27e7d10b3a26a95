/** Answers a request. Every answer carries the same headers; errors are one line of plain text. */
import { createHash } from 'node:crypto';
import { IMPORT_MAP } from '../page-files.js';

/** @import { ServerResponse } from 'node:http' */

const POLICY = [
  "default-src 'none'",
  ...['style', 'connect', 'font', 'manifest'].map((kind) => `${kind}-src 'self'`),
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
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

/**
 * @param {string} html of the page
 * @returns {string} a Content-Security-Policy: the page loads nothing from elsewhere, has nothing inline but the places of
 *   its packages, and is shown in no frame
 */
export function policyOf(html) {
  const [, importMap = ''] = IMPORT_MAP.exec(html) ?? [];
  const hash = createHash('sha256').update(importMap).digest('base64');
  return `script-src 'self' 'sha256-${hash}'; ${POLICY}`;
}

/** @param {ServerResponse} response before anything else is decided @param {string} policy */
export function setHeaders(response, policy) {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', policy);
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
