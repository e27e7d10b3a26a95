/** `run`: the apps and their daemon in the foreground, in a home directory that lasts as long; when it is over, and how it ends. */
import { fstatSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { NodeclusterError, attempt } from '../../../errors/error.js';
import { exitCodes } from '../../../errors/exit-codes.js';
import { poll } from '../../../shared/deadline.js';
import { removeDirectory } from '../../../shared/files/directories.js';
import { ensureHome } from '../../../shared/home.js';
import { NOWHERE } from '../../../shared/log-files/log-paths.js';
import { daemonPid } from '../../../shared/processes/daemon-lock.js';
import { closeInheritedDescriptors } from '../../../shared/processes/inherited-descriptors.js';
import { applySpecs } from '../../../daemon/actions/apply.js';
import { startDaemon } from '../../../daemon/daemon.js';
import { exitOnBug } from '../../../daemon/log.js';
import { takeLock } from '../../../daemon/lock.js';
import { takeNotifier, takeSockets } from '../../../daemon/init-system.js';
import { recordOf, statusesOf } from '../../../daemon/apps/record.js';
import { listApps } from '../../../daemon/queries/apps.js';
import { judgeProbes } from '../../../show/probe-policy.js';
import { openOwnLog } from './own-log.js';

/**
 * @import { OpenOutlets, RunSource } from '../../../clients/metrics/outlets.js'
 * @import { ApplyParams } from '../../../protocol/methods.js'
 * @import { AppOutcome, Status } from '../../../protocol/shapes.js'
 * @import { LineStyle } from '../../../shared/log-files/log-line.js'
 * @import { Daemon, RunningDaemon } from '../../../daemon/daemon.js'
 * @import { Log } from '../../../daemon/log.js'
 * @import { ProbedApp } from '../../../show/probe-policy.js'
 *
 * @typedef {Omit<ApplyParams, 'action'>} AppsToRun
 *
 * @typedef {object} RunOrder
 * @property {string} home an absolute path; removed at the end
 * @property {AppsToRun} apps
 * @property {() => Promise<AppsToRun>} readAgain what the file says now
 * @property {LineStyle} style of its own lines
 * @property {(outcome: AppOutcome) => string | null} describeOutcome of a command; null: it needs no line
 * @property {OpenOutlets | null} openOutlets for probes and metrics
 */

const OUTPUT = { out: 1, error: 2 };
const STDIN = 0;
const LOOK_MS = 200;

/** Resolves when the apps are being started. @param {RunOrder} order @param {(code: number) => void} exit */
export async function runApps(order, exit) {
  closeInheritedDescriptors();
  const { home, apps, readAgain, describeOutcome } = order;
  const paths = { ...ensureHome(home), logFile: () => NOWHERE };
  const notifier = takeNotifier(process.env);
  const { sockets } = takeSockets(process.env);
  process.chdir(home);
  takeLock(home);
  process.title = 'nodecluster: run';
  /** @type {Daemon | null} */
  let daemon = null;
  const log = openOwnLog(OUTPUT.error, order.style);
  process.on('exit', () => removeHome(home));
  exitOnBug(log, 'run.failed', () => exit(exitCodes.internal));
  const beginExport = await order.openOutlets?.(sourceOf(() => daemon, log, apps));
  let code = /** @type {number} */ (exitCodes.ok);
  const onEnded = (/** @type {boolean} */ isSuperseded) =>
    void log.flushed().then(() => exit(isSuperseded ? exitCodes.refused : code));
  const running = await startDaemon(paths, log, { sockets }, onEnded, outputFor(apps));
  ({ daemon } = running);
  void beginExport?.();
  /** @type {Set<string>} */
  const failed = new Set();
  daemon.onOutcome = (outcome) => {
    if (!outcome.ok) failed.add(outcome.name);
    log.say(outcome.name, describeOutcome(outcome));
  };
  const shutdown = shutdownOf(running);
  handleSignals({
    stop: shutdown.request,
    reload: () => reload(daemon, readAgain),
  });
  const started = applySpecs(daemon, { ...apps, action: 'start' }, { notify: () => {} });
  void started.then(() => notifier.ready());
  void untilOver(daemon, failed).then((errored) => {
    if (errored.length > 0) code = exitCodes.appFailed;
    log[errored.length > 0 ? 'error' : 'info']('run.over', { errored });
    return shutdown.begin();
  });
}

/** A line is meant for one program; /dev/null, as an init system gives, ends at once. @param {AppsToRun} apps */
function outputFor({ specs, only }) {
  const isOne = (only ?? specs).length === 1;
  const isOpen = fstatSync(STDIN).rdev !== statSync(NOWHERE).rdev;
  return isOne && isOpen ? { ...OUTPUT, input: STDIN } : OUTPUT;
}

/** What cannot be removed, the next `run` removes. Another daemon keeps the home that it has. @param {string} home */
function removeHome(home) {
  attempt(() => [process.pid, null].includes(daemonPid(home)) && removeDirectory(home), null);
}

/**
 * What others learn about the apps, from before the first one starts.
 * @param {() => Daemon | null} find null: not started yet
 * @param {Log} log
 * @param {AppsToRun} apps
 * @returns {RunSource}
 */
function sourceOf(find, log, { specs, only }) {
  const names = specs.flatMap(({ name, readyMin }) => (name && readyMin !== 0 ? [name] : []));
  const awaited = new Set(names.filter((name) => !only || only.includes(name)));
  return {
    probe: async () => {
      const daemon = find();
      return daemon ? judge(daemon, awaited) : judgeProbes([], { now: Date.now() });
    },
    list: async (fields) => {
      const daemon = find();
      return daemon && listApps(daemon, daemon.table.all(), { fields });
    },
    onOpen: (address) => log.info('endpoint.open', { address }),
    onExport: (reason) => {
      if (reason === null) log.info('metrics.exported');
      else log.warn('metrics.export-failed', { reason });
    },
  };
}

/** @param {Daemon} daemon @param {Set<string>} awaited apps that have not been in the table yet; loses those that are */
function judge({ table, isShuttingDown, isEnding }, awaited) {
  for (const name of awaited) if (table.get(name)) awaited.delete(name);
  const apps = [...table.all().map((app) => recordOf(app)), ...Array.from(awaited, awaitedApp)];
  return judgeProbes(apps, { isShuttingDown: isShuttingDown || isEnding, now: Date.now() });
}

/** @param {string} name @returns {ProbedApp} */
function awaitedApp(name) {
  const status = /** @type {const} */ ('starting');
  const worker = { slot: 0, status, isReady: false };
  return { name, status, readyMin: 1, hasBeenReady: false, workers: [worker] };
}

/** @param {Daemon} daemon @param {() => Promise<AppsToRun>} readAgain */
async function reload(daemon, readAgain) {
  try {
    const apps = await readAgain();
    await applySpecs(daemon, { ...apps, action: 'apply', prune: true }, { notify: () => {} });
  } catch (thrown) {
    const { message: reason } = NodeclusterError.from(thrown);
    daemon.log.error('reload.refused', { reason });
  }
}

/** Those that are errored; never ends once the daemon does. @param {Daemon} daemon @param {ReadonlySet<string>} failed apps */
async function untilOver(daemon, failed) {
  const look = () => {
    if (daemon.isShuttingDown || daemon.isEnding) return null;
    const state = { isChanging: daemon.changes > 0, refused: [...failed] };
    // What waits is not started by one that has ended.
    const started = daemon.table.all().filter(({ isWaiting }) => !isWaiting);
    const apps = started.map((app) => {
      const startsAgain = () => daemon.features.ask('startsAgain', app).includes(true);
      const comesBack = !app.stopped && (app.spec.onDemand || startsAgain());
      return { name: app.name, statuses: statusesOf(app), comesBack };
    });
    return judgeRun(apps, state);
  };
  return (await poll(look, { timeoutMs: Infinity, everyMs: LOOK_MS })) ?? [];
}

/**
 * The end of `run`: not ready, then drained, then stopped; each further request is in more of a hurry.
 * @param {RunningDaemon} running
 */
function shutdownOf({ daemon, stopApps, leave }) {
  let requests = 0;
  const hurry = new AbortController();
  return { request, begin };

  /** @param {NodeJS.Signals} signal */
  function request(signal) {
    requests += 1;
    daemon.log.info('run.stopping', { signal, requests });
    if (requests === 1) return begin();
    hurry.abort();
    hurryApps();
  }

  /** What serves goes on accepting for `shutdown_delay`. */
  async function begin() {
    if (daemon.isShuttingDown) return;
    daemon.isShuttingDown = true;
    const serving = daemon.table.all().filter((app) => statusesOf(app).includes('online'));
    const delayMs = Math.max(0, ...serving.map(({ spec }) => spec.shutdownDelayMs));
    const { signal } = hurry;
    if (delayMs > 0) await sleep(delayMs, null, { signal }).catch(() => {});
    const stopped = stopApps();
    if (requests > 1) hurryApps();
    await stopped;
    await leave('stop', { isLast: true });
  }

  function hurryApps() {
    const kill = requests > 2;
    for (const { link } of daemon.table.all()) {
      if (link.state === 'connected')
        link.request('hurry', { kill }, { timeoutMs: 1000 }).catch(() => {});
    }
  }
}

/** ms in which a signal that comes twice counts once: a launcher may pass on what a terminal sends to both. */
const SAME_MS = 250;

/** @param {{stop: (signal: NodeJS.Signals) => void, reload: () => void}} on */
function handleSignals({ stop, reload }) {
  const hadTerminal = isatty(0);
  let lastMs = -Infinity;
  const stopOnce = (/** @type {NodeJS.Signals} */ signal) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < SAME_MS) return;
    lastMs = nowMs;
    stop(signal);
  };
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, stopOnce);
  // A terminal that is closed sends it too.
  process.on('SIGHUP', () => (hadTerminal && !isatty(0) ? stop('SIGHUP') : reload()));
  // Log rotation sends it to PM2, and unhandled it would kill this process.
  process.on('SIGUSR2', () => {});
}

/** The worker does not run, and nothing will start it. */
const ENDED = ['errored', 'exited', 'stopped'];

/**
 * One app without a worker that still can run is enough: only a new container helps. null: it goes on.
 * @param {readonly {name: string, statuses: readonly Status[], comesBack: boolean}[]} apps comesBack: a schedule starts it again
 * @param {{isChanging: boolean, refused?: string[]}} state isChanging: a command may add apps; refused: not added
 * @returns {string[] | null} those that are errored; none: all have exited
 */
export function judgeRun(apps, { isChanging, refused = [] }) {
  const ended = apps.filter(
    ({ statuses, comesBack }) => !comesBack && statuses.every((status) => ENDED.includes(status)),
  );
  const errored = ended.filter(({ statuses }) => statuses.includes('errored'));
  if (errored.length > 0) return errored.map(({ name }) => name);
  if (isChanging || ended.length < apps.length) return null;
  if (apps.length === 0) return refused;
  return ended.some(({ statuses }) => statuses.includes('exited')) ? [] : null;
}
