/** Rolling reloads when files change (`watch`); the only file that imports chokidar and ignore. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { onDemand } from '../../shared/package/on-demand.js';
import { reload } from '../../daemon/control/verbs.js';
import { besideApps } from '../../daemon/features.js';

/**
 * @import { App } from '../../daemon/apps/app.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { Daemon } from '../../daemon/daemon.js'
 */

const require = createRequire(import.meta.url);
/** Few apps are watched. */
const chokidar = onDemand(() => /** @type {typeof import('chokidar')} */ (require('chokidar')));

/** @type {MakeFeature} */
export const watch = (daemon) => ({
  sync: besideApps(
    ({ spec: { watch, ignoreWatch, watchDelayMs, cwd } }) =>
      watch === false ? null : JSON.stringify([watch, ignoreWatch, watchDelayMs, cwd]),
    (app) => watchFiles(daemon, app),
  ),
  startsAgain: ({ spec }) => spec.watch !== false,
});

/** @param {Daemon} daemon @param {App} app */
function watchFiles(daemon, app) {
  const { watch: watched, ignoreWatch, watchDelayMs, cwd } = app.spec;
  const log = daemon.log.of({ app: app.name });
  const paths = (Array.isArray(watched) ? watched : [cwd]).map((each) => path.resolve(cwd, each));
  const ignored = watchFilter(cwd, ignoreWatch, daemon.paths.home);
  const watcher = chokidar().watch(paths, { ignored, ignoreInitial: true });
  /** From a change to the reload. @type {NodeJS.Timeout | undefined} */
  let timer;
  /** Monotonic; the first change that waits for a reload. @type {number | null} */
  let changedMs = null;
  const onDue = () => {
    changedMs = null;
    reload(daemon, app, 'watch');
  };
  watcher.on('all', (event, file) => {
    if (changedMs === null) log.info('watch.changed', { change: event, file });
    const now = performance.now();
    changedMs ??= now;
    clearTimeout(timer);
    timer = setTimeout(onDue, watchDelay(watchDelayMs, now - changedMs));
  });
  watcher.on('ready', () => log.info('watch.started', { paths }));
  watcher.on('error', (error) => log.error('watch.failed', { reason: String(error) }));
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

/** While files keep changing, the reload happens after at most this many delays. */
const MAX_WATCH_DELAYS = 10;

/**
 * @param {number} delay after the last change of a file
 * @param {number} waited since the first
 * @returns {number} until the reload, if nothing else changes
 */
export function watchDelay(delay, waited) {
  return Math.max(0, Math.min(delay, MAX_WATCH_DELAYS * delay - waited));
}

/** Its expressions take a fifth of the daemon's own start. */
const ignore = onDemand(() => /** @type {typeof import('ignore')} */ (require('ignore')));

/** Programs write to these while they run, or other tools own them. */
const ALWAYS = ['node_modules', '.git', 'logs'];

/**
 * @param {string} root what relative patterns are relative to
 * @param {readonly string[]} patterns as in a .gitignore: names at any depth ('tmp', '*.log'), or
 *   paths from the root ('public/uploads', 'data/**'); absolute paths too
 * @param {string} home of nodecluster, which is written to all the time
 * @returns {(file: string) => boolean} for absolute paths
 */
export function watchFilter(root, patterns, home) {
  const matcher = ignore()({ ignorecase: false, allowRelativePaths: true });
  matcher.add([...ALWAYS, ...patterns.map((pattern) => normalize(root, pattern))]);
  return (file) => {
    if (file === home || file.startsWith(home + path.sep)) return true;
    const relative = path.relative(root, file);
    return relative !== '' && matcher.ignores(relative);
  };
}

/** @param {string} root @param {string} pattern */
function normalize(root, pattern) {
  const fromRoot = path.isAbsolute(pattern) ? path.relative(root, pattern) : pattern;
  const anchored = path.isAbsolute(pattern) && !fromRoot.includes('/') ? `/${fromRoot}` : fromRoot;
  // In a .gitignore a line that starts with # is a comment, and tmp/ does not match a link.
  return anchored.replace(/^\.\//, '').replace(/^#/, '\\#').replace(/\/+$/, '');
}
