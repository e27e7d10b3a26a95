/**
 * The primary of one app: `node src/primary/main.js <launch.json> [<descriptors, as JSON>]`.
 * It owns the app's listening sockets, its workers and its logs, and keeps running when the daemon
 * dies. As another user than the daemon's it may not enter the home directory: then its parameters
 * come from stdin (`-`), and its files are in its working directory.
 */
import { readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { homePaths, pathsInUserDirectory } from '../shared/home.js';
import { writeFileAtomic } from '../shared/atomic-file.js';
import { poll } from '../shared/deadline.js';
import { PACKAGE_ROOT } from '../shared/package/copy.js';
import { identify, isAlive } from '../shared/processes/identity.js';
import { PROTOCOL_VERSION, VERSION } from '../shared/version.js';
import { acceptChannels } from '../protocol/handle-channel.js';
import { serve } from '../protocol/server.js';
import { retire, shutdown } from './pool/commands.js';
import { DaemonLink } from './control/daemon-link.js';
import { keepPresent } from './control/presence.js';
import { logInPrimary } from './log/primary-log.js';
import { makeApp } from './pool/make-app.js';
import { methodsOf } from './control/methods.js';
import { PidFiles, pidsByPath } from './processes/pid-files.js';
import { WorkerRecord, readWorkers } from './processes/record.js';

/**
 * @import { ProtocolServer } from '../protocol/server.js'
 * @import { AppPaths } from '../shared/home.js'
 * @import { ProcessIdentity } from '../shared/processes/identity.js'
 * @import { LaunchFile } from './pool/make-app.js'
 * @import { InheritedSocket } from '../shared/inherited-socket.js'
 */

const EXIT_POLL_MS = 50;

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
const { home, daemon, after, spec } = launchFile;
const { app: pathsOf, successor, daemonLog: log, logFile } = homePaths(home);
const isOtherUser = launchPath === '-';
const paths = isOtherUser
  ? { ...pathsInUserDirectory(), record: null }
  : { ...pathsOf(spec.name), logFile };
/** Where the daemon finds it while its predecessor has the place of the app. */
const firstPaths = after ? successor(spec.name) : paths;
const ownEnvironment = takeEnvironment();
process.title = `nodecluster: ${spec.name}`;

const app = makeApp(launchFile, paths, isOtherUser ? ownEnvironment : {});
/** No daemon has ever connected, and the one that started this process has exited. */
let isAbandoned = false;
const daemonLaunch = daemon && { ...daemon, home, log, env: ownEnvironment };
const daemonLink = new DaemonLink(daemonLaunch, () => (isAbandoned = true));
const starterPipe = starter === undefined ? null : new net.Socket({ fd: starter });
if (starterPipe !== null) {
  const ended = () => daemonLink.starterExited();
  starterPipe.on('error', ended).once('end', ended).resume();
}
/** @type {ProtocolServer[]} */
const servers = [];
/** Gives the app's sockets to daemons. @type {net.Server | null} */
let giver = null;
await listen(firstPaths);
// From here on everything that listens in this process is the app's.
if (spec.execMode === 'cluster') app.sockets.watch(spec.scheduling, sockets);
await record(firstPaths);
starterPipe?.write('listening\n');
const workerRecord = new WorkerRecord(firstPaths.workers);
let endChecks = () => {};
if (!after) stayPresent();
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
  process.on(signal, () => shutdown(app).then(end));
}
process.on('SIGHUP', () => {});
await app.previousWorkers.end(readWorkers(firstPaths.workers), spec);
const pidFiles = new PidFiles();
app.pool.on('change', () => {
  workerRecord.update(app.pool.workers.values(), app.previousWorkers.alive);
  pidFiles.update(pidsByPath(app));
});
app.pool.start();
if (after) await succeed(after);

/**
 * node:cluster adds the primary's environment to that of the app, so the primary empties its own.
 * @returns {Record<string, string>} the environment for a daemon that this primary starts
 */
function takeEnvironment() {
  const taken = /** @type {Record<string, string>} */ ({ ...process.env });
  for (const name of Object.keys(process.env)) delete process.env[name];
  return taken;
}

/** @typedef {Pick<AppPaths, 'socket' | 'handover'> & {record: string | null}} Place */

/** @param {Place} place */
async function listen({ socket, handover }) {
  const server = await serve(socket, {
    methods: methodsOf(app, daemonLink, () => setImmediate(end)),
    hello: { role: 'primary', version: VERSION },
  });
  servers.push(server);
  if (spec.execMode !== 'cluster') return;
  // Without it the app is not protected against the loss of this process, but runs.
  await giveSockets(handover).catch(({ message }) =>
    logInPrimary(`The daemon does not hold the sockets: ${message}`),
  );
}

/** Restores its files if they are removed. */
function stayPresent() {
  const { record: file, socket, handover } = paths;
  endChecks = keepPresent({
    server: servers[servers.length - 1],
    home,
    socket,
    files: file === null ? null : { [file]: recordText(socket), [launchPath]: launchText },
    handover: spec.execMode === 'cluster' ? handover : null,
    giveSockets: () => giveSockets(handover),
    isControlled: () => daemonLink.isConnected,
    onRestored: () => workerRecord.restore(),
    onSuperseded: () => shutdown(app).then(end),
  });
}

/** @param {string} socket */
function recordText(socket) {
  const own = { version: VERSION, protocol: PROTOCOL_VERSION, root: PACKAGE_ROOT, socket };
  return JSON.stringify({ ...identify(process.pid), ...own });
}

/** The daemon itself writes that of a primary that runs as another user. @param {Place} place */
async function record({ record: file, socket }) {
  if (file === null) return;
  // On a full disk the next daemon finds this process by its socket.
  await writeFileAtomic(file, recordText(socket)).catch(({ message }) =>
    logInPrimary(`Could not write ${file}: ${message}`),
  );
}

/**
 * Takes the place of the app when its predecessor has exited, whether a daemon runs then or not.
 * Exits if no daemon knows about it while its predecessor serves.
 * @param {ProcessIdentity} predecessor
 */
async function succeed(predecessor) {
  const isOver = () => isAbandoned || !isAlive(predecessor);
  await poll(isOver, { timeoutMs: Infinity, everyMs: EXIT_POLL_MS });
  if (isAlive(predecessor)) return retire(app).then(end);
  // It may have been killed, and its workers finish their requests.
  await app.previousWorkers.end(readWorkers(paths.workers), spec);
  await listen(paths);
  workerRecord.moveTo(paths.workers);
  await record(paths);
  stayPresent();
  const { record: file, workers, socket, handover } = firstPaths;
  for (const path of [file, workers, socket, handover]) rmSync(path ?? '', { force: true });
}

/** @param {string} handover where nothing listens that others can reach */
async function giveSockets(handover) {
  const { given } = app.sockets;
  giver?.close();
  giver = null;
  giver = await acceptChannels(handover, (channel) => given.connected(channel));
}

/** Exits when everything that was written is on the disk. */
async function end() {
  daemonLink.close();
  endChecks();
  await Promise.all(servers.map((server) => server.close()));
  await app.pool.services.strays.whenIdle();
  await pidFiles.whenIdle();
  await app.logs.end();
  process.exit(0);
}
