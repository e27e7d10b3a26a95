/**
 * The primary of one app: `node src/primary/main.js <launch.json> [<descriptors, as JSON>]`.
 * It owns the app's listening sockets, its workers and its logs, and keeps running when the daemon
 * dies. As another user than the daemon's it may not enter the home directory: then its parameters
 * come from stdin (`-`), and its files are in its working directory.
 */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { homePaths, pathsInUserDirectory } from '../shared/home.js';
import { writeFileAtomic } from '../shared/atomic-file.js';
import { PACKAGE_ROOT } from '../shared/package/copy.js';
import { identify } from '../shared/processes/identity.js';
import { PROTOCOL_VERSION, VERSION } from '../shared/version.js';
import { acceptChannels } from '../protocol/handle-channel.js';
import { serve } from '../protocol/server.js';
import { shutdown } from './pool/commands.js';
import { DaemonLink } from './control/daemon-link.js';
import { keepPresent } from './control/presence.js';
import { logInPrimary } from './log/primary-log.js';
import { makeApp } from './pool/make-app.js';
import { methodsOf } from './control/methods.js';
import { PidFiles, pidsByPath } from './processes/pid-files.js';
import { WorkerRecord, readWorkers } from './processes/record.js';

/**
 * @import { LaunchFile } from './pool/make-app.js'
 * @import { InheritedSocket } from '../shared/inherited-socket.js'
 */

// Its log may be on a full disk: neither a warning of Node's nor a line of its own may end it.
process.stderr.on('error', () => {});
const [, , launchPath, descriptors = '{}'] = process.argv;
const launchText = readFileSync(launchPath === '-' ? 0 : launchPath, 'utf8');
/** @type {LaunchFile} */
const launchFile = JSON.parse(launchText);
/**
 * `starter` closes when the daemon that started this primary exits.
 * @type {{starter?: number, sockets?: InheritedSocket[]}}
 */
const { starter, sockets = [] } = JSON.parse(descriptors);
const { home, daemon } = launchFile;
const { app: pathsOf, daemonLog: log, logFile } = homePaths(home);
const isOtherUser = launchPath === '-';
const paths = isOtherUser
  ? { ...pathsInUserDirectory(), record: null }
  : { ...pathsOf(launchFile.spec.name), logFile };
const ownEnvironment = takeEnvironment();
process.title = `nodecluster: ${launchFile.spec.name}`;

const app = makeApp(launchFile, paths, isOtherUser ? ownEnvironment : {});
const daemonLink = new DaemonLink(daemon && { ...daemon, home, log, env: ownEnvironment });
const starterPipe = starter === undefined ? null : new net.Socket({ fd: starter });
if (starterPipe !== null) {
  const ended = () => daemonLink.starterExited();
  starterPipe.on('error', ended).once('end', ended).resume();
}
const server = await serve(paths.socket, {
  methods: methodsOf(app, daemonLink, () => setImmediate(end)),
  hello: { role: 'primary', version: VERSION },
});
if (launchFile.spec.execMode === 'cluster') {
  await giveSockets();
  // From here on everything that listens in this process is the app's.
  app.sockets.watch(launchFile.spec.scheduling, sockets);
}
const record = JSON.stringify({
  ...identify(process.pid),
  version: VERSION,
  protocol: PROTOCOL_VERSION,
  root: PACKAGE_ROOT,
  socket: paths.socket,
});
if (paths.record !== null) {
  // On a full disk the next daemon finds this process by its socket.
  await writeFileAtomic(paths.record, record).catch(({ message }) =>
    logInPrimary(`Could not write ${paths.record}: ${message}`),
  );
}
starterPipe?.write('listening\n');
const workerRecord = new WorkerRecord(paths.workers);
const endChecks = keepPresent({
  server,
  home,
  socket: paths.socket,
  files: paths.record === null ? null : { [paths.record]: record, [launchPath]: launchText },
  isControlled: () => daemonLink.isConnected,
  onRestored: () => workerRecord.restore(),
  onSuperseded: () => shutdown(app).then(end),
});
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
  process.on(signal, () => shutdown(app).then(end));
}
process.on('SIGHUP', () => {});
await app.previousWorkers.end(readWorkers(paths.workers), launchFile.spec);
const pidFiles = new PidFiles();
app.pool.on('change', () => {
  workerRecord.update(app.pool.workers.values(), app.previousWorkers.alive);
  pidFiles.update(pidsByPath(app));
});
app.pool.start();

/**
 * node:cluster adds the primary's environment to that of the app, so the primary empties its own.
 * @returns {Record<string, string>} the environment for a daemon that this primary starts
 */
function takeEnvironment() {
  const taken = /** @type {Record<string, string>} */ ({ ...process.env });
  for (const name of Object.keys(process.env)) delete process.env[name];
  return taken;
}

/** Without it the app is not protected against the loss of this process, but runs. */
async function giveSockets() {
  try {
    const { daemonCopies } = app.sockets;
    await acceptChannels(paths.handover, (channel) => daemonCopies.connected(channel));
  } catch (error) {
    logInPrimary(
      `The daemon gets no copies of the sockets: ${/** @type {Error} */ (error).message}`,
    );
  }
}

/** Exits when everything that was written is on the disk. */
async function end() {
  daemonLink.close();
  endChecks();
  await server.close();
  await app.pool.services.strays.whenIdle();
  await pidFiles.whenIdle();
  await app.logs.end();
  process.exit(0);
}
