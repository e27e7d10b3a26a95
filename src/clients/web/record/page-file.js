/** The page and what it shows as one HTML file, which loads nothing and runs nothing else. Pure. */
import { createHash } from 'node:crypto';
import { IMPORT_MAP } from '../page-files.js';
import { linkModules } from './link-modules.js';

/**
 * @import { Assets } from '../http/assets.js'
 * @import { Recording } from '../shapes.js'
 */

const STYLE = /<link rel="stylesheet" href="([^"]+)"\s*\/?>/g;
const SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g;
const OTHER_LINKS = /^\s*<link rel="(?!stylesheet)[^>]*>\n/gm;

/**
 * @param {Assets} assets
 * @param {Recording} recording
 * @returns {string} HTML
 */
export function renderRecording(assets, recording) {
  /** @type {{script: string[], style: string[]}} */
  const hashes = { script: [], style: [] };
  const inline = (/** @type {'script' | 'style'} */ kind, /** @type {string} */ text) => {
    // Within a script or style, only its end tag has a meaning in HTML.
    const safe = `\n${text.replace(/<\/(?=script|style)/gi, '<\\/').replaceAll('<!--', '<\\!--')}`;
    hashes[kind].push(`'sha256-${createHash('sha256').update(safe).digest('base64')}'`);
    return safe;
  };
  const index = textOf(assets, 'index.html');
  const { imports } = JSON.parse(IMPORT_MAP.exec(index)?.[1] ?? '{}');
  const body = index
    .replace(IMPORT_MAP, '')
    .replace(OTHER_LINKS, '')
    .replace(STYLE, (_, file) => `<style>${inline('style', textOf(assets, file))}</style>`)
    .replace(SCRIPT, (_, file) => {
      const code = inline('script', linkModules(assets, file, imports));
      return `${dataBlock(recording)}\n<script type="module">${code}</script>`;
    });
  const policy = [
    "default-src 'none'",
    `script-src ${hashes.script.join(' ')}`,
    `style-src ${hashes.style.join(' ')}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return body.replace(/<head>/, `<head>\n${meta}`);
}

/** @param {Recording} recording */
function dataBlock(recording) {
  const json = JSON.stringify(recording).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="recording">${json}</script>`;
}

/** @param {Assets} assets @param {string} file */
function textOf(assets, file) {
  const text = assets.get(file)?.body.toString();
  if (text === undefined) throw new Error(`${file} is missing`);
  return text;
}
