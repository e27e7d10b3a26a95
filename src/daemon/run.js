/** Runs the daemon of one home directory in this process, until `kill` or a signal ends it. */
import path from 'node:path';
import { NodeclusterError, attempt } from '../errors/error.js';
import { within } from '../shared/deadline.js';
import { ensureHome } from '../shared/home.js';
import { daemonPid } from '../shared/processes/daemon-lock.js';
import { closeInheritedDescriptors } from '../shared/processes/inherited-descriptors.js';
import { exitAtOnce } from '../shared/processes/signal.js';
import { recordService } from '../shared/processes/service-record.js';
import { senderOf } from './control/describe-request.js';
import { claimLock, takeLock } from './lock.js';
import { startDaemon } from './daemon.js';
import { exitOnBug, openLog } from './log.js';
import { isManaged, isSystemStopping, takeNotifier, takeSockets } from './init-system.js';
import { readDesiredFile } from '../shared/files/desired-file.js';
import { runningPrimaries } from '../shared/processes/primary-record.js';

/**
 * @import { HomePaths } from '../shared/home.js'
 * @import { Daemon, RunningDaemon } from './daemon.js'
 * @import { HandedSockets } from './lock.js'
 * @import { Log } from './log.js'
 * @import { Notifier } from './init-system.js'
 */

/**
 * background: started by a command, which needs a daemon but not this one; recovery: the same for a
 * primary that has lost its daemon; foreground: by a person or an init system; update: by `update`,
 * to replace the one that runs.
 * @typedef {'background' | 'recovery' | 'foreground' | 'update'} Mode
 */

/** ms; apps that take longer go on starting. systemd waits for 90 s by default. */
const READY_MS = 60_000;

/**
 * @param {string} home an absolute path
 * @param {Mode} mode @param {(code: number) => void} exit
 * @returns {Promise<void>} when it accepts commands
 * @throws {NodeclusterError} E_DAEMON_RUNS, and those of ensureHome and claimLock
 */
export async function runDaemon(home, mode, exit) {
  closeInheritedDescriptors();
  const updater = process.ppid;
  const notifier = takeNotifier(process.env);
  const { sockets, ignored } = takeSockets(process.env);
  const paths = ensureHome(home);
  process.chdir(home);
  const handed = await obtainLock(paths, mode);
  if (handed === null) return exit(0);
  if (mode === 'recovery' && !isDaemonNeeded(paths)) return exit(0);
  process.title = 'nodecluster: daemon';
  // From the working directory: another user may rename the home, and put a link in its place.
  const file = path.relative(home, paths.daemonLog);
  const log = openLog(file, mode === 'foreground' ? makeEcho() : null);
  try {
    recordService(paths.service, isManaged);
  } catch (error) {
    // A full disk does not prevent a start. Until the next one, commands do not wait for the init system.
    log.warn('service.unrecorded', { reason: /** @type {Error} */ (error).message });
  }
  exitOnBug(log, 'daemon.failed', () => exit(1));
  if (sockets.length > 0)
    log.info('sockets.inherited', { addresses: sockets.map(({ name }) => name) });
  if (ignored.length > 0) log.warn('sockets.ignored', { descriptors: ignored });
  // Somebody reads the exit code of one that was not started in the background.
  const end = mode === 'foreground' ? () => exit(0) : exitAtOnce;
  const started = startDaemon(paths, log, { sockets, handed }, end);
  // Log rotation sends it to PM2, and unhandled it would kill this process.
  process.on('SIGUSR2', () => {});
  const daemon = await started;
  if (mode === 'update') noteUpdate(daemon.daemon, updater);
  endOnSignal(daemon, log, notifier);
  notifier.onFailure = (reason) => log.warn('service.unnotified', { reason });
  within(daemon.whenRecovered, READY_MS).then(() => notifier.ready());
}

/** No request asks for it: `update` has started this process. @param {Daemon} daemon @param {number} pid of `update` */
async function noteUpdate({ log, features }, pid) {
  const by = await senderOf({ role: 'cli', pid });
  log.info('command', { method: 'update', by });
  features.ask('asked', { command: 'update', apps: [], params: {}, by });
}

/** Null: another daemon does it. @param {HomePaths} paths @param {Mode} mode @returns {Promise<HandedSockets | null>} */
async function obtainLock(paths, mode) {
  const { home } = paths;
  if (isManaged || mode === 'update') {
    return claimLock(paths);
  }
  if (takeLock(home)) return new Map();
  if (mode !== 'foreground') return null;
  throw new NodeclusterError('E_DAEMON_RUNS', { home, pid: daemonPid(home), isService: false });
}

/** For a terminal, a container and the journal of systemd. Other init systems append to a file without end. */
function makeEcho() {
  const isJournal = process.env.JOURNAL_STREAM !== undefined;
  if (isManaged && !isJournal) return null;
  process.stderr.on('error', () => {}); // the terminal or the journal may close it
  const priorities = { error: '<3>', warn: '<4>' };
  return (/** @type {'warn' | 'error'} */ level, /** @type {string} */ text) =>
    process.stderr.write(`${isJournal ? priorities[level] : `${level}: `}${text}\n`);
}

/** @param {RunningDaemon} daemon @param {Log} log @param {Notifier} notifier */
function endOnSignal(daemon, log, { env }) {
  let isEnding = false;
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
    process.on(signal, async () => {
      // A second one, as from two `update`s, must not kill it while it saves what is in progress.
      if (isEnding) return;
      isEnding = true;
      if (isManaged && (await isSystemStopping(env))) {
        log.info('system.stopping');
        await daemon.stopApps();
      }
      await daemon.leave(signal, { isLast: isManaged });
    });
  }
  process.on('SIGHUP', () => {});
}

/**
 * A primary starts the next daemon when it has lost its own. Until that one holds the lock, `kill` may have ended
 * everything through another daemon, and nothing of the home may be left behind.
 * @param {HomePaths} paths whose files have not been changed yet
 * @returns {boolean} whether an app runs, should run or is being deleted; true if that is not clear
 */
export function isDaemonNeeded(paths) {
  const hasWork = () => {
    /** @type {{apps: {stopped: boolean, deleting?: boolean}[]}} */
    const { apps } = JSON.parse(readDesiredFile(paths.desired) ?? '{"apps":[]}');
    return apps.some(({ stopped, deleting }) => !stopped || deleting);
  };
  return runningPrimaries(paths).length > 0 || attempt(hasWork, true);
}
