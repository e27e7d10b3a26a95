/** The files of the page, read once: no path of a request reaches the file system. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/**
 * @typedef {{type: string, body: Buffer, tag: string}} Asset
 * @typedef {ReadonlyMap<string, Asset>} Assets by path below the page, `vendor/uplot.js`
 */

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * @param {string} directory
 * @returns {Assets} without files of other types
 */
export function readAssets(directory) {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const served = names.filter((name) => Object.hasOwn(TYPES, path.extname(name)));
  return new Map(
    served.map((name) => {
      const body = readFileSync(path.join(directory, name));
      const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
      return [name.split(path.sep).join('/'), { type: TYPES[path.extname(name)], body, tag }];
    }),
  );
}

/**
 * @param {IncomingMessage} request GET or HEAD
 * @param {ServerResponse} response
 * @param {Asset} asset
 */
export function sendAsset({ headers, method }, response, { type, body, tag }) {
  response.setHeader('ETag', tag);
  // A browser keeps the file, and asks each time whether it is still the same.
  response.setHeader('Cache-Control', 'no-cache');
  if (headers['if-none-match'] === tag) return response.writeHead(304).end();
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length });
  return response.end(method === 'HEAD' ? undefined : body);
}
