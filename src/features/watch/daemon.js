/** Rolling reloads when files change (`watch`). */
import { fork } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownNode } from '../../shared/processes/launch.js';
import { besideApps } from '../../daemon/features.js';
import { reasonText } from '../../show/reason.js';
import { ReloadCauses } from './decide.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Fact } from '../../protocol/shapes.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { Door, SeenApp } from '../../daemon/control/door.js'
 * @import { Order, Report, State } from './main.js'
 * @import { Trouble } from './tree.js'
 */

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));
/** MB. With 20,000 directories it has 70. */
const MAX_HEAP = 256;
const AGAIN_MS = 60_000;

/** @type {State} */
const UNKNOWN = { type: 'state', directories: null, troubles: [] };

/** @type {MakeFeature} */
export const watch = (door) => {
  const watches = besideApps(
    ({ spec: { watch, ignoreWatch, watchDelayMs, cwd } }) =>
      watch === false ? null : JSON.stringify([watch, ignoreWatch, watchDelayMs, cwd]),
    (app) => new Watch(door, app),
  );
  return {
    sync: watches.sync,
    note: (app) => watches.of(app)?.note ?? null,
    startsAgain: ({ spec }) => spec.watch !== false,
    async ending() {
      for (const each of watches.all()) each.end();
    },
  };
};

/** Of one app: a process of its own, which looks for files while the daemon answers. */
class Watch {
  #door;
  #app;
  /** @type {ChildProcess | undefined} */
  #child;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isEnded = false;
  /** @type {string | null} */
  #fault = null;
  /** @type {State} */
  #state = UNKNOWN;
  #causes = new ReloadCauses();
  /** Until the file may cause a reload again that has caused too many. @type {NodeJS.Timeout | undefined} */
  #pause;

  /** @param {Door} door @param {SeenApp} app */
  constructor(door, app) {
    this.#door = door;
    this.#app = app;
    // After what the daemon does now: it may be about to answer.
    this.#timer = setTimeout(() => this.#begin());
  }

  get #log() {
    return this.#door.log.of({ app: this.#app.name });
  }

  end() {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#pause);
    this.#child?.kill('SIGKILL');
  }

  get note() {
    const notes = this.#state.troubles.map(([trouble, place]) => adviceOn(trouble, place));
    if (this.#fault !== null) notes.push(`watch does not work: ${this.#fault}`);
    const repeated = this.#repeated;
    if (repeated) notes.push(`watch: ${reasonText(repeated)}`);
    return notes.join('; ') || null;
  }

  /** @returns {Fact | undefined} a file that was the cause too often */
  get #repeated() {
    const latest = this.#causes.latest(performance.now());
    if (latest === null) return undefined;
    const { file, times, pauseMs: ms } = latest;
    const { name, spec } = this.#app;
    const flags = [...spec.ignoreWatch, file].flatMap((pattern) => ['--ignore-watch', pattern]);
    return { kind: 'repeated', file, times, ms, command: ['start', name, ...flags] };
  }

  #begin() {
    const { watch: watched, ignoreWatch: ignored, watchDelayMs: delayMs, cwd } = this.#app.spec;
    const paths = (Array.isArray(watched) ? watched : [cwd]).map((each) => path.resolve(cwd, each));
    const { home } = this.#door;
    this.#fault = null;
    const child = fork(MAIN, {
      cwd: '/',
      env: {},
      execArgv: [`--max-old-space-size=${MAX_HEAP}`],
      execPath: ownNode(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Ctrl-C in the terminal of `run` is not for it; it ends with the daemon.
      detached: true,
    });
    this.#child = child;
    child.unref();
    child.channel?.unref();
    child.on('error', ({ message }) => this.#lost(message));
    child.once('exit', (code, signal) => this.#lost(`its process ended with ${signal ?? code}`));
    child.on('message', (message) => this.#hear(/** @type {Report} */ (message), paths));
    /** @type {Order} */
    const order = { paths, cwd, ignored, home, delayMs };
    child.send(order, () => {});
  }

  /** @param {Report} report @param {string[]} paths */
  #hear(report, paths) {
    if (this.#isEnded) return;
    if (report.type === 'due')
      return void this.#child?.send(writtenFiles(this.#door.apps), () => {});
    if (report.type === 'changed') return this.#changed(report.files);
    const { directories, troubles } = report;
    const before = this.#state;
    this.#state = report;
    for (const [trouble, place] of troubles.slice(before.troubles.length))
      this.#log.warn('watch.incomplete', { trouble, place });
    if (before.directories === null && directories !== null)
      this.#log.info('watch.started', { paths, directories });
  }

  /** @param {string[]} files from cwd */
  #changed(files) {
    const nowMs = performance.now();
    const waits = files.map((file) => ({ file, ms: this.#causes.waitMs(file, nowMs) }));
    const [{ file, ms }] = waits.sort((one, other) => one.ms - other.ms);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#reload(file), ms).unref();
  }

  /** @param {string} file */
  #reload(file) {
    this.#log.info('watch.changed', { file });
    void this.#door.reload(this.#app, 'watch', () => {
      this.#causes.note(file, performance.now());
      return { file, reason: this.#repeated };
    });
  }

  /** @param {string} fault */
  #lost(fault) {
    if (this.#isEnded || this.#fault !== null) return;
    this.#fault = fault;
    this.#state = UNKNOWN;
    this.#log.error('watch.failed', { reason: fault });
    this.#timer = setTimeout(() => this.#begin(), AGAIN_MS).unref();
  }
}

/** Those that change while they run. @param {readonly SeenApp[]} apps */
function writtenFiles(apps) {
  const specs = apps.flatMap(({ spec, rollout }) => [spec, rollout?.spec ?? []].flat());
  const files = specs.flatMap((spec) => [spec.outFile, spec.errorFile, spec.logFile, spec.pidFile]);
  return [...new Set(files.filter((file) => file !== null))];
}

const INSTEAD = 'list what to watch (watch), or what not (ignore_watch)';

/** @param {Trouble} trouble @param {string} place @returns {string} */
function adviceOn(trouble, place) {
  const advice = {
    system: `watch does not watch ${place}, because it holds the system: set cwd to the directory of the program, or ${INSTEAD}`,
    missing: `watch waits for ${place}, which does not exist or cannot be read`,
    device: `watch does not watch ${place}, because it is on another file system: list it in watch`,
    limit: `watch does not watch ${place} and others, because there are too many directories: ${INSTEAD}`,
    inotify: `watch does not watch ${place} and others, because the system allows no more: raise fs.inotify.max_user_watches and fs.inotify.max_user_instances, or ${INSTEAD}`,
  };
  return advice[trouble];
}
