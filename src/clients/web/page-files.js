/** Which files a browser gets: those that index.html names, and what its modules import, wherever in src/ that is. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_ROOT } from '../../shared/package/root.js';

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 *
 * @typedef {{type: string, body: Buffer, tag: string}} Asset
 * @typedef {ReadonlyMap<string, Asset>} Assets by the path that a browser asks for
 */

/** The forms that the page keeps to, so that no parser is needed; packages have them too. */
export const IMPORT =
  /^import\s*(?:(?:(?<alone>[\w$]+)|\*\s*as\s+(?<all>[\w$]+)|\{(?<names>[^}]*)\})\s*from\s*)?(['"])(?<from>[^'"]+)\4;?/gm;
/** In index.html: the files of the packages that modules import by name. */
export const IMPORT_MAP = /<script type="importmap">([^<]*)<\/script>/;
const NAMED_IN_HTML = /(?:href|src)="([^"]+)"|": "\.\/([^"]+)"/g;

const PAGE = path.join(PACKAGE_ROOT, 'src', 'clients', 'web', 'page');
/** Of the paths of files that packages publish. */
const PACKAGES = 'packages/';

/**
 * @returns {Map<string, string>} the place of each file by the path that a browser asks for: the one below src/, or of a
 *   package `packages/uplot/dist/uPlot.min.css`
 */
export function pageFiles() {
  const index = path.join(PAGE, 'index.html');
  const files = new Map([['index.html', index]]);
  const add = (/** @type {string} */ name) => {
    if (files.has(name)) return;
    const file = placeOf(name);
    files.set(name, file);
    if (!/\.m?js$/.test(name)) return;
    for (const { groups } of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const from = String(groups?.from);
      if (from.startsWith('.')) add(path.posix.join(path.posix.dirname(name), from));
    }
  };
  for (const [, link, mapped] of readFileSync(index, 'utf8').matchAll(NAMED_IN_HTML)) {
    add(link ?? mapped);
  }
  return files;
}

/** @param {string} name */
function placeOf(name) {
  if (!name.startsWith(PACKAGES)) return path.join(PACKAGE_ROOT, 'src', name);
  // The published package has no dependencies but copies of these files.
  const copies = path.join(PAGE, PACKAGES);
  const directory = existsSync(copies) ? copies : path.join(PACKAGE_ROOT, 'node_modules');
  return path.join(directory, name.slice(PACKAGES.length));
}

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
};
/** uPlot publishes its small file as a script; this makes it a module. */
const AS_MODULE = 'export { uPlot as default };\n';

/** @returns {Assets} read once: no path of a request reaches the file system */
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
