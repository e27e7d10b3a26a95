/** Answers a request. Every answer carries the same headers; errors are one line of plain text. */
import { attempt } from '../../errors/error.js';
import { isObject } from '../../shared/checks.js';

/** @import { ServerResponse, IncomingMessage } from 'node:http' */

/** The page loads nothing from elsewhere, has nothing inline, and is shown in no frame. */
const POLICY = [
  "default-src 'none'",
  ...['script', 'style', 'connect', 'font', 'manifest'].map((kind) => `${kind}-src 'self'`),
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** A request that cannot be carried out. */
export class Refusal extends Error {
  /** @param {number} status of HTTP @param {string} message one line @param {Record<string, string>} [headers] */
  constructor(status, message, headers = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** @param {ServerResponse} response before anything else is decided */
export function setHeaders(response) {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
}

/** @param {ServerResponse} response @param {unknown} value */
export function sendJson(response, value) {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
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

const MAX_BYTES = 16 * 1024;

/**
 * Reads the JSON that a request carries, which is small.
 * @param {IncomingMessage} request
 * @returns {Promise<Record<string, unknown>>}
 * @throws {Refusal}
 */
export async function readJson(request) {
  const [type] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new Refusal(415, 'The request must be application/json.');
  }
  /** @type {Buffer[]} */
  const chunks = [];
  let bytes = 0;
  // What is too much is read and dropped: a client that is still sending would not see the answer.
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_BYTES) throw new Refusal(413, 'The request is too large.');
  const value = attempt(() => JSON.parse(Buffer.concat(chunks).toString()), null);
  if (!isObject(value)) throw new Refusal(400, 'The request is not a JSON object.');
  return value;
}
