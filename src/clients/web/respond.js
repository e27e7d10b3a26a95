/** Answers a request: with a file of the page, JSON, a stream, or a line of text that says why not. Every answer carries the same headers. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { attempt, NodeclusterError } from '../../errors/error.js';
import { isObject } from '../../shared/checks.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';

/**
 * @import { ServerResponse, IncomingMessage } from 'node:http'
 *
 * @typedef {{type: string, body: Buffer, tag: string}} Asset
 * @typedef {ReadonlyMap<string, Asset>} Assets by the path that a browser asks for
 */

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

/**
 * beatMs: keeps proxies from closing a silent connection, and notices a reader that has vanished;
 * stalledMs: after which a reader that reads nothing is disconnected.
 */
const TIMES = { beatMs: 15_000, stalledMs: 30_000 };

/** Writes server-sent events to one reader, and never more than it reads. */
export class EventWriter {
  #response;
  #stalledMs;
  /** @type {NodeJS.Timeout | undefined} */
  #stalled;

  /**
   * @param {ServerResponse} response
   * @param {() => boolean} mayContinue asked now and then: whether the reader is still signed in
   * @param {typeof TIMES} [times]
   */
  constructor(response, mayContinue, { beatMs, stalledMs } = TIMES) {
    this.#response = response;
    this.#stalledMs = stalledMs;
    response.socket?.setTimeout(0);
    const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
    response.writeHead(200, headers).flushHeaders();
    const beat = setInterval(() => {
      if (!mayContinue()) response.end();
      else if (!this.isBehind) response.write(':\n\n');
    }, beatMs);
    response.on('drain', () => clearTimeout(this.#stalled));
    response.once('close', () => {
      clearInterval(beat);
      clearTimeout(this.#stalled);
    });
  }

  /** Whether the reader has not read what was sent before. */
  get isBehind() {
    return this.#response.writableNeedDrain;
  }

  /** @param {string} name @param {string} json */
  send(name, json) {
    if (this.#response.writableEnded) return;
    const { isBehind } = this;
    this.#response.write(`event: ${name}\ndata: ${json}\n\n`);
    if (isBehind || !this.isBehind) return;
    this.#stalled = setTimeout(() => this.#response.destroy(), this.#stalledMs);
  }

  /** @returns {Promise<void>} resolves when the reader has read everything, or is gone */
  async drained() {
    if (!this.isBehind) return;
    await new Promise((resolve) => {
      this.#response.once('drain', resolve);
      this.#response.once('close', resolve);
    });
  }
}

const PAGE = path.join(PACKAGE_ROOT, 'src', 'clients', 'web', 'page');
/** Where a checkout has what `npm run build` does. */
const BUNDLER = path.join(PACKAGE_ROOT, 'scripts', 'bundle-page.js');

/** @type {Record<string, string>} */
const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'bundle.css': 'text/css; charset=utf-8',
  'bundle.js': 'text/javascript; charset=utf-8',
};

/**
 * @returns {Promise<Assets>} read once: no path of a request reaches the file system
 * @throws {NodeclusterError} E_WEB_UNBUILT
 */
export async function readAssets() {
  const isBuilt = existsSync(path.join(PAGE, 'bundle.js'));
  const made = isBuilt ? new Map() : await bundle();
  return new Map(
    Object.entries(TYPES).map(([name, type]) => {
      const body = Buffer.from(made.get(name) ?? readFileSync(path.join(PAGE, name)));
      const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
      return [name, { type, body, tag }];
    }),
  );
}

/** @returns {Promise<Map<string, Uint8Array>>} by name */
async function bundle() {
  try {
    return (await import(BUNDLER)).bundlePage().files;
  } catch (error) {
    const [reason] = /** @type {Error} */ (error).message.split('\n');
    throw new NodeclusterError('E_WEB_UNBUILT', { reason }, error);
  }
}

/** @param {IncomingMessage} request GET or HEAD @param {ServerResponse} response @param {Asset} asset */
export function sendAsset({ headers, method }, response, { type, body, tag }) {
  response.setHeader('ETag', tag);
  // A browser keeps the file, and asks each time whether it is still the same.
  response.setHeader('Cache-Control', 'no-cache');
  if (headers['if-none-match'] === tag) return response.writeHead(304).end();
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length });
  return response.end(method === 'HEAD' ? undefined : body);
}
