/**
 * The primary of one app: `node src/primary/main.js <launch.json> [<descriptors, as JSON>]`.
 * It owns the app's listening sockets, its workers and its logs, and keeps running when the daemon
 * dies. As another user than the daemon's it may not enter the home directory: then its parameters
 * come from stdin (`-`), and its files are in its working directory.
 */
import { rmSync } from 'node:fs';
import net from 'node:net';
import { homePaths } from '../shared/home.js';
import { poll } from '../shared/deadline.js';
import { isAlive } from '../shared/processes/identity.js';
import { DaemonLink } from './control/daemon-link.js';
import { methodsOf } from './control/methods.js';
import { Presence } from './control/presence.js';
import { readLaunch } from './launch-file.js';
import { retire, shutdown } from './pool/commands.js';
import { makeApp } from './pool/make-app.js';
import { PidFiles, pidsByPath } from './processes/pid-files.js';
import { WorkerRecord, readWorkers } from './processes/record.js';

/** @import { ProcessIdentity } from '../shared/processes/identity.js' */

const EXIT_POLL_MS = 50;

// Its log may be on a full disk: neither a warning of Node's nor a line of its own may end it.
process.stderr.on('error', () => {});
const { file, text, descriptors, isOtherUser, paths, firstPaths } = readLaunch(
  process.argv.slice(2),
);
const { home, spec, after } = file;
const ownEnvironment = takeEnvironment();
process.title = `nodecluster: ${spec.name}`;

const app = makeApp(file, paths, isOtherUser ? ownEnvironment : {}, descriptors.output);
const isCluster = spec.execMode === 'cluster';
if (isCluster) app.sockets.watch(descriptors.sockets ?? []);
const workerRecord = new WorkerRecord(firstPaths.workers);
const pidFiles = new PidFiles();
const daemonLink = new DaemonLink(
  file.daemon && { ...file.daemon, home, log: homePaths(home).daemonLog, env: ownEnvironment },
);
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, shutDown);
process.on('SIGHUP', () => {});

const starter = connectStarter(descriptors.starter);
const methods = methodsOf(app, daemonLink, () => setImmediate(end));
const presence = new Presence(methods, isCluster ? app.sockets.given : null);
await presence.listen(firstPaths);
await presence.record(firstPaths);
starter?.write('listening\n');
if (!after) stayPresent();

await app.previousWorkers.end(readWorkers(firstPaths.workers), spec);
// Without a record, the next primary would not look for workers that this one did not live to record.
await workerRecord.update([], app.previousWorkers.alive);
// Not earlier: the record of the previous workers would be overwritten before it is read.
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

/** @param {number} [fd] a pipe that closes when the daemon that started this primary exits */
function connectStarter(fd) {
  if (fd === undefined) return null;
  // `run` was killed: nothing starts it again from here, so the app ends too.
  const ended = descriptors.output ? shutDown : () => daemonLink.starterExited();
  return new net.Socket({ fd }).on('error', ended).once('end', ended).resume();
}

function stayPresent() {
  presence.keep(paths, {
    home,
    launchText: text,
    isControlled: () => daemonLink.isConnected,
    onRestored: () => workerRecord.restore(),
    onSuperseded: shutDown,
  });
}

/**
 * Takes the place of the app when its predecessor has exited, whether a daemon runs then or not.
 * Exits if no daemon knows about it while its predecessor serves.
 * @param {ProcessIdentity} predecessor
 */
async function succeed(predecessor) {
  const isOver = () => daemonLink.isAbandoned || !isAlive(predecessor);
  await poll(isOver, { timeoutMs: Infinity, everyMs: EXIT_POLL_MS });
  if (isAlive(predecessor)) return retire(app).then(end);
  // It may have been killed, and its workers finish their requests.
  await app.previousWorkers.end(readWorkers(paths.workers), spec);
  await presence.listen(paths);
  workerRecord.moveTo(paths.workers);
  await presence.record(paths);
  stayPresent();
  const { launch, record, workers, socket, handover } = firstPaths;
  for (const each of [launch, record, workers, socket, handover])
    rmSync(each ?? '', { force: true });
}

function shutDown() {
  shutdown(app).then(end);
}

/** Exits when everything that was written is on the disk. */
async function end() {
  daemonLink.close();
  await presence.close();
  await app.pool.services.strays.whenIdle();
  await pidFiles.whenIdle();
  await app.logs.end();
  process.exit(0);
}
