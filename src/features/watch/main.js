/** Watches the files of one app in a process of its own: a file system that does not answer must not block the daemon. */
import { realpath } from 'node:fs/promises';
import { setPriority } from 'node:os';
import path from 'node:path';
import { exitAtOnce } from '../../shared/processes/signal.js';
import { watchDelay } from './decide.js';
import { watchFilter, writtenFilter } from './filter.js';
import { WatchedTree } from './tree.js';

/**
 * @import { Trouble } from './tree.js'
 *
 * @typedef {{paths: string[], cwd: string, ignored: string[], home: string, delayMs: number}} Order ignored: patterns
 * @typedef {{type: 'state', directories: number | null, troubles: [Trouble, string][]}} State null: it is still looking
 * @typedef {{type: 'due'} | {type: 'changed', files: string[]} | State} Report `due`: it asks for the files that programs
 *   write to, as they are now; `changed`: some of those that have
 */

/** Between two questions to the daemon, however fast files change. */
const MIN_DUE_MS = 100;
/** That wait for a reload: one is enough, but others may be what programs write. */
const MAX_CHANGED = 10_000;
const MAX_NAMED = 20;
const NICE = 10;

process.once('disconnect', exitAtOnce);
setPriority(NICE);
process.once('message', (order) => void begin(/** @type {Order} */ (order)));

/** @param {Order} order */
async function begin({ paths, cwd, ignored, home, delayMs }) {
  const changes = noteChanges(cwd, watchFilter(cwd, ignored, home), delayMs);
  process.on('message', (/** @type {string[]} */ written) => changes.report(written));
  /** @type {Map<Trouble, string>} */
  const troubles = new Map();
  let isReady = false;
  const reportState = () =>
    report({ type: 'state', directories: isReady ? tree.size : null, troubles: [...troubles] });
  const tree = new WatchedTree({
    ignores: changes.ignores,
    onChange: changes.add,
    onTrouble(trouble, place) {
      if (place !== null && troubles.has(trouble)) return;
      if (place === null) troubles.delete(trouble);
      else troubles.set(trouble, place);
      reportState();
    },
  });
  await Promise.all(paths.map((each) => tree.add(each)));
  isReady = true;
  reportState();
}

/**
 * Which files have changed since the last reload.
 * @param {string} cwd
 * @param {(file: string) => boolean} isIgnored by the user
 * @param {number} delayMs
 */
function noteChanges(cwd, isIgnored, delayMs) {
  let isWritten = writtenFilter([]);
  /** What is shown, by the path without links. @type {Map<string, string>} */
  const changed = new Map();
  let firstMs = 0;
  let dueMs = -Infinity;
  let isAsked = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const ignores = (/** @type {string} */ shown, /** @type {string} */ real) =>
    isIgnored(shown) || isWritten(shown) || isWritten(real);
  const ask = () => {
    isAsked = true;
    dueMs = performance.now();
    report({ type: 'due' });
  };
  return {
    ignores,
    add(/** @type {string} */ shown, /** @type {string} */ real) {
      const now = performance.now();
      if (changed.size === 0) firstMs = now;
      if (changed.size < MAX_CHANGED) changed.set(real, shown);
      if (isAsked) return;
      clearTimeout(timer);
      const waitMs = watchDelay(delayMs, now - firstMs);
      timer = setTimeout(ask, Math.max(waitMs, dueMs + MIN_DUE_MS - now));
    },
    /** @param {string[]} written what programs write to now */
    async report(written) {
      isWritten = writtenFilter(await withoutLinks(written));
      isAsked = false;
      const files = [...changed].flatMap(([real, shown]) =>
        ignores(shown, real) ? [] : path.relative(cwd, shown) || shown,
      );
      changed.clear();
      if (files.length > 0) report({ type: 'changed', files: files.slice(0, MAX_NAMED) });
    },
  };
}

/** @param {Report} message */
function report(message) {
  // Without the daemon it ends anyway.
  process.send?.(message, undefined, {}, () => {});
}

/** @param {string[]} files @returns {Promise<string[]>} and where they are */
async function withoutLinks(files) {
  const all = files.map(async (file) => {
    const { dir, base } = path.parse(file);
    const target = await realpath(file).catch(() => file);
    return [file, path.join(await realpath(dir).catch(() => dir), base), target];
  });
  return [...new Set((await Promise.all(all)).flat())];
}
