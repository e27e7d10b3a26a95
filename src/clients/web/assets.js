/** The files of the page, read once: no path of a request reaches the file system. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pageFiles } from './page-files.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/**
 * @typedef {{type: string, body: Buffer, tag: string}} Asset
 * @typedef {ReadonlyMap<string, Asset>} Assets by the path that a browser asks for
 */

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** uPlot publishes its small file as a script; this makes it a module. */
const AS_MODULE = 'export { uPlot as default };\n';

/** @returns {Assets} */
export function readAssets() {
  return new Map(
    [...pageFiles()].map(([name, file]) => {
      const added = file.endsWith('.iife.min.js') ? AS_MODULE : '';
      const body = Buffer.concat([readFileSync(file), Buffer.from(added)]);
      const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
      return [name, { type: TYPES[path.extname(name)], body, tag }];
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
