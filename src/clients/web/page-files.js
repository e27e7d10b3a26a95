/** Which files a browser gets: the page, its modules as one script, and its styles as one sheet. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 *
 * @typedef {{type: string, body: Buffer, tag: string}} Asset
 * @typedef {ReadonlyMap<string, Asset>} Assets by the path that a browser asks for
 */

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
