/** `web --record`: watches for a while and writes one file to send. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { NodeclusterError } from '../../errors/error.js';
import { formatDuration } from '../../shared/units.js';
import { interruption } from '../../shared/processes/signal.js';
import { resolveFrom } from '../../shared/files/inspect-path.js';
import { writeFile } from '../../shared/files/write-file.js';
import { fetchDetails, openHome } from './daemon.js';
import { Live, Tab } from './live.js';
import { readAssets } from './page-files.js';
import { policyWith } from './respond.js';

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
  const file = resolveFrom(cwd, options.output ?? `nodecluster-${time}.html`);
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
  const live = new Live(paths, true);
  const remove = live.add(new Tab(NOBODY));
  await pause(ms, undefined, { signal }).catch(() => {});
  /** @type {[string, Details][]} */
  const details = [];
  for (const name of live.state.order) {
    const found = await fetchDetails(paths, name).catch(() => null);
    if (found) details.push([name, found]);
  }
  remove();
  return renderRecording(await readAssets(), {
    state: { ...live.state, recordedAt: Date.now() },
    history: live.past.read(),
    events: live.events,
    details: Object.fromEntries(details),
  });
}

const STYLE = '<link rel="stylesheet" href="bundle.css" />';
const SCRIPT = '<script type="module" src="bundle.js"></script>';

/**
 * The page and what it shows as one HTML file, which loads nothing and runs nothing else. Pure.
 * @param {Assets} assets
 * @param {Recording} recording
 * @returns {string} HTML
 */
export function renderRecording(assets, recording) {
  const textOf = (/** @type {string} */ file) => String(assets.get(file)?.body);
  const hashes = { script: '', style: '' };
  const inline = (/** @type {'script' | 'style'} */ kind, /** @type {string} */ text) => {
    // Within a script or style, only its end tag has a meaning in HTML.
    const safe = `\n${text.replace(/<\/(?=script|style)/gi, '<\\/').replaceAll('<!--', '<\\!--')}`;
    hashes[kind] = createHash('sha256').update(safe).digest('base64');
    return safe;
  };
  const body = textOf('index.html')
    .replace(STYLE, () => `<style>${inline('style', textOf('bundle.css'))}</style>`)
    .replace(SCRIPT, () => {
      const code = inline('script', textOf('bundle.js'));
      return `${dataBlock(recording)}\n<script type="module">${code}</script>`;
    });
  const policy = policyWith([
    `script-src 'sha256-${hashes.script}'`,
    `style-src 'sha256-${hashes.style}'`,
    'img-src data:',
  ]);
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return body.replace(/<head>/, `<head>\n${meta}`);
}

/** @param {Recording} recording */
function dataBlock(recording) {
  const json = JSON.stringify(recording).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="recording">${json}</script>`;
}
