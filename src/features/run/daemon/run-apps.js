/** `run`: the apps and their daemon in the foreground, in a home directory that lasts as long. */
import { NodeclusterError, attempt } from '../../../errors/error.js';
import { exitCodes } from '../../../errors/exit-codes.js';
import { judgeRun } from './verdict.js';
import { poll } from '../../../shared/deadline.js';
import { removeDirectory } from '../../../shared/files/directories.js';
import { ensureHome } from '../../../shared/home.js';
import { NOWHERE } from '../../../shared/log-files/log-paths.js';
import { daemonPid } from '../../../shared/processes/daemon-lock.js';
import { closeInheritedDescriptors } from '../../../shared/processes/inherited-descriptors.js';
import { applySpecs } from '../../../daemon/actions/apply.js';
import { reopenAllLogs } from '../../../daemon/actions/logs.js';
import { statusesOf } from '../../../daemon/apps/record.js';
import { startDaemon } from '../../../daemon/daemon.js';
import { exitOnBug } from '../../../daemon/log.js';
import { takeLock } from '../../../daemon/lock.js';
import { startWatchdog, takeNotifier, takeSockets } from '../../../daemon/init-system.js';
import { sourceOf } from './outlets.js';
import { openOwnLog } from './own-log.js';
import { Shutdown, handleSignals } from './shutdown.js';

/**
 * @import { OpenOutlets } from '../../../clients/metrics/outlets.js'
 * @import { RunVerdict } from './verdict.js'
 * @import { ApplyParams } from '../../../protocol/methods.js'
 * @import { AppOutcome } from '../../../protocol/shapes.js'
 * @import { LineStyle } from '../../../shared/log-files/log-line.js'
 * @import { App } from '../../../daemon/apps/app.js'
 * @import { Daemon } from '../../../daemon/daemon.js'
 * @import { Log } from '../../../daemon/log.js'
 */

/**
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

/** The stdout and stderr of this process. */
const OUTPUT = { out: 1, error: 2 };
/** ms between two looks at what still runs. */
const LOOK_MS = 200;

/**
 * @param {RunOrder} order
 * @param {(code: number) => void} exit
 * @returns {Promise<void>} when the apps are being started
 * @throws {NodeclusterError} E_LISTEN and E_OTLP_PACKAGES before anything has been started
 */
export async function runApps(order, exit) {
  closeInheritedDescriptors();
  const { home, apps, readAgain, style, describeOutcome, openOutlets } = order;
  const paths = { ...ensureHome(home), logFile: () => NOWHERE };
  const notifier = takeNotifier(process.env);
  const { sockets } = takeSockets(process.env);
  process.chdir(home);
  takeLock(home);
  process.title = 'nodecluster: run';
  /** @type {Daemon | null} */
  let daemon = null;
  const log = openOwnLog(OUTPUT.error, style);
  process.on('exit', () => removeHome(home));
  exitOnBug(log, 'run.failed', () => exit(exitCodes.internal));
  const beginExport = await openOutlets?.(sourceOf(() => daemon, log, namesOf(apps)));
  /** @type {number} */
  let code = exitCodes.ok;
  const onEnded = (/** @type {boolean} */ isSuperseded) =>
    void log.flushed().then(() => exit(isSuperseded ? exitCodes.refused : code));
  const running = await startDaemon(paths, log, { sockets }, onEnded, OUTPUT);
  ({ daemon } = running);
  void beginExport?.();
  /** @type {Set<string>} */
  const failed = new Set();
  daemon.onOutcome = (outcome) => {
    if (!outcome.ok) failed.add(outcome.name);
    log.say(outcome.name, describeOutcome(outcome));
  };
  const shutdown = new Shutdown(running);
  handleSignals({
    stop: (signal) => shutdown.request(signal),
    reload: () => reload(daemon, readAgain),
    reopenLogs: () => reopenAllLogs(daemon),
  });
  void applySpecs(daemon, { ...apps, action: 'start' }, { notify: () => {} }).then(() =>
    notifier.ready(),
  );
  if (notifier.watchdogMs) startWatchdog(paths, notifier.watchdogMs, () => notifier.ping());
  void untilOver(daemon, failed).then((verdict) => {
    code = conclude(verdict, log);
    return shutdown.begin();
  });
}

/** @param {AppsToRun} apps */
function namesOf({ specs, only }) {
  const names = specs.flatMap(({ name, readyMin }) => (name && readyMin !== 0 ? [name] : []));
  return names.filter((name) => !only || only.includes(name));
}

/** What cannot be removed, the next `run` removes. Another daemon keeps the home that it has. @param {string} home */
function removeHome(home) {
  const isOwn = () => [process.pid, null].includes(daemonPid(home));
  attempt(() => isOwn() && removeDirectory(home), null);
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

/** @param {Daemon} daemon @param {ReadonlySet<string>} failed apps @returns {Promise<RunVerdict>} never ends once the daemon does for another reason */
async function untilOver(daemon, failed) {
  const look = () => {
    if (daemon.isShuttingDown || daemon.isEnding) return null;
    const state = { isChanging: daemon.changes > 0, refused: [...failed] };
    const apps = daemon.table.all().map((app) => runApp(daemon, app));
    return judgeRun(apps, state);
  };
  const verdict = await poll(look, { timeoutMs: Infinity, everyMs: LOOK_MS });
  return /** @type {RunVerdict} */ (verdict);
}

/** @param {Daemon} daemon @param {App} app */
function runApp({ features }, app) {
  const comesBack =
    !app.stopped && (app.spec.onDemand || features.ask('startsAgain', app).includes(true));
  return { name: app.name, statuses: statusesOf(app), comesBack };
}

/** @param {RunVerdict} verdict @param {Log} log @returns {number} the exit code */
function conclude(verdict, log) {
  if (verdict.outcome === 'exited') {
    log.info('run.over');
    return exitCodes.ok;
  }
  log.error('run.over', { errored: verdict.apps });
  return exitCodes.appFailed;
}
