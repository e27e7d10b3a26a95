/** `web --record`: watches for a while and writes one file to send. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { NodeclusterError } from '../../errors/error.js';
import { formatDuration } from '../../shared/units.js';
import { interruption } from '../../shared/processes/signal.js';
import { writeFile } from '../../shared/files/write-file.js';
import { openHome } from './daemon.js';
import { Live, Tab } from './live.js';
import { fetchDetails } from './details.js';
import { identityOf } from './serve.js';
import { IMPORT, IMPORT_MAP, readAssets } from './page-files.js';

/**
 * @import { Context } from '../../cli/context.js'
 * @import { Details, Recording } from './shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { Assets } from './page-files.js'
 */

/**
 * @param {Context} context
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_NO_APPS, E_FILE_UNWRITABLE
 */
export async function recordPage(context) {
  const { options, note, print, cwd } = context;
  const time = new Date().toISOString().slice(0, 16).replace(':', '-');
  const file = path.resolve(cwd, options.output ?? `nodecluster-${time}.html`);
  assertWritable(path.dirname(file));
  const paths = await openHome(context);
  note(`Recording for ${formatDuration(options.record)}. Press Ctrl-C to end it now.`);
  const html = await recordWeb(paths, options.record, interruption());
  await writeFile(file, html, { force: true, isPrivate: true });
  note(
    'The file has log lines and settings of the apps; values that look like secrets are masked.',
  );
  print(file);
  return 0;
}

/** Before ten minutes are recorded for nothing. @param {string} directory */
function assertWritable(directory) {
  try {
    accessSync(directory, constants.W_OK);
  } catch (error) {
    const { code: reason } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new NodeclusterError('E_FILE_UNWRITABLE', { file: directory, reason }, error);
  }
}

/** Somebody who watches and reads nothing. */
const NOBODY = { isBehind: false, send: () => {} };

/**
 * Watches for a while, and makes one file of it that anybody can open.
 * @param {HomePaths} paths
 * @param {number} ms how long to watch
 * @param {AbortSignal} signal ends it early
 * @returns {Promise<string>} HTML
 */
async function recordWeb(paths, ms, signal) {
  const live = new Live(paths, identityOf(paths, true));
  const remove = live.add(new Tab(NOBODY));
  await pause(ms, undefined, { signal }).catch(() => {});
  /** @type {[string, Details][]} */
  const details = [];
  for (const name of live.state.order) {
    const found = await fetchDetails(paths, name).catch(() => null);
    if (found) details.push([name, found]);
  }
  remove();
  return renderRecording(readAssets(), {
    state: { ...live.state, recordedAt: Date.now() },
    history: live.wholeHistory(),
    events: live.events,
    details: Object.fromEntries(details),
  });
}

const STYLE = /<link rel="stylesheet" href="([^"]+)"\s*\/?>/g;
const SCRIPT = /<script type="module" src="([^"]+)"><\/script>/g;

/**
 * The page and what it shows as one HTML file, which loads nothing and runs nothing else. Pure.
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

const DECLARATION = /^export\s+(?=(?:async\s+)?(?:function\*?|class|const)\s+(?<name>[\w$]+))/gm;
const DEFAULT = /(?<=^|;|\})export\s+default\s+/gm;
const LIST = /(?<=^|;|\})export\s*\{(?<names>[^}]*)\};?/gm;

/**
 * Joins the modules of the page into one script, for a file that must need no other. The page keeps to the few forms of import and export that are read here, so that no bundler is needed. Pure.
 * @param {Assets} assets
 * @param {string} entry the module that the page loads
 * @param {Record<string, string>} [packages] the path of the file of each, by name
 * @returns {string} a script
 * @throws {Error} if a module is missing, or imports itself by others
 */
export function linkModules(assets, entry, packages = {}) {
  /** The name of each module in the script, by path. @type {Map<string, string>} */
  const names = new Map();
  /** @type {string[]} */
  const parts = [];
  const add = (/** @type {string} */ file, /** @type {string[]} */ importers) => {
    if (names.has(file)) return;
    if (importers.includes(file)) throw new Error(`${file} imports itself`);
    const code = textOf(assets, file);
    const resolve = (/** @type {string} */ from) =>
      path.posix.normalize(packages[from] ?? path.posix.join(path.posix.dirname(file), from));
    for (const { groups } of code.matchAll(IMPORT)) {
      add(resolve(String(groups?.from)), [...importers, file]);
    }
    const linked = linkOne(code, (from) => names.get(resolve(from)));
    names.set(file, `module${names.size}`);
    parts.push(`const ${names.get(file)} = (() => {\n${linked}})();\n`);
  };
  add(entry, []);
  return `'use strict';\n${parts.join('')}`;
}

/** @param {string} code @param {(specifier: string) => string | undefined} nameOf a module */
function linkOne(code, nameOf) {
  /** @type {string[]} */
  const exported = [];
  const linked = code
    .replace(IMPORT, (...match) => {
      const { alone, all, names, from } = match.at(-1);
      const module = nameOf(from);
      if (alone) return `const ${alone} = ${module}.default;`;
      if (all) return `const ${all} = ${module};`;
      return names ? `const { ${names.replace(/\s+as\s+/g, ': ')} } = ${module};` : '';
    })
    .replace(DECLARATION, (...match) => {
      exported.push(match.at(-1).name);
      return '';
    })
    .replace(DEFAULT, () => {
      exported.push('default: exportedDefault');
      return 'const exportedDefault = ';
    })
    .replace(LIST, (...match) => {
      exported.push(...namesIn(match.at(-1).names));
      return '';
    });
  return `${linked}\nreturn { ${exported.join(', ')} };\n`;
}

/** @param {string} list `a, b as c` @returns {string[]} `a`, `c: b` */
function namesIn(list) {
  const items = list.split(',').map((item) => item.trim());
  return items.filter(Boolean).map((item) => {
    const [inside, outside = inside] = item.split(/\s+as\s+/);
    return inside === outside ? inside : `${outside}: ${inside}`;
  });
}
