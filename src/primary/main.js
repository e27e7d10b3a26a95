/**
 * The primary of one app: `node src/primary/main.js <launch.json> [<copies of sockets, as JSON>]`.
 * It owns the app's listening sockets, its workers and its logs, and keeps running when the daemon
 * dies.
 */
import { readFileSync } from 'node:fs';
import { homePaths } from '../shared/home.js';
import { writeFileAtomic } from '../shared/atomic-file.js';
import { identify } from '../shared/processes/identity.js';
import { writeRecord } from '../shared/processes/primary-record.js';
import { VERSION } from '../shared/version.js';
import { serve } from '../protocol/server.js';
import { shutdown } from './pool/commands.js';
import { DaemonLink } from './control/daemon-link.js';
import { keepPresent } from './control/presence.js';
import { makeApp } from './pool/make-app.js';
import { methodsOf } from './control/methods.js';
import { PidFiles, pidsByPath } from './processes/pid-files.js';
import { WorkerRecord, readWorkers } from './processes/record.js';

/**
 * @import { ProcessIdentity } from '../shared/processes/identity.js'
 * @import { LaunchFile } from './pool/make-app.js'
 * @import { HeldCopy } from './sockets/daemon-copies.js'
 */

// Its log may be on a full disk: neither a warning of Node's nor a line of its own may end it.
process.stderr.on('error', () => {});
const [, , launchPath, heldCopies = '[]'] = process.argv;
/** @type {LaunchFile} */
const launchFile = JSON.parse(readFileSync(launchPath, 'utf8'));
/** @type {HeldCopy[]} */
const copies = JSON.parse(heldCopies);
const { home } = launchFile;
const paths = homePaths(home);
const appPaths = paths.app(launchFile.spec.name);
const ownEnvironment = takeEnvironment();
process.title = `nodecluster: ${launchFile.spec.name}`;

const app = makeApp(launchFile, paths);
const daemonLink = new DaemonLink({
  ...launchFile.daemon,
  home,
  log: paths.daemonLog,
  env: ownEnvironment,
});
// Node reports it once, perhaps before this file runs; undefined: there is no such channel.
if (process.connected === false) daemonLink.starterExited();
else process.once('disconnect', () => daemonLink.starterExited());
const server = await serve(appPaths.socket, {
  methods: methodsOf(app, daemonLink, () => setImmediate(end)),
  hello: { role: 'primary', version: VERSION },
});
// From here on everything that listens in this process is the app's.
if (launchFile.spec.execMode === 'cluster') app.sockets.watch(launchFile.spec.scheduling, copies);
const identity = /** @type {ProcessIdentity} */ (identify(process.pid));
writeRecord(appPaths.record, identity);
const workerRecord = new WorkerRecord(appPaths.workers);
const endChecks = keepPresent({
  server,
  identity,
  home,
  paths: appPaths,
  isControlled: () => daemonLink.isConnected,
  onRestored: async () => {
    workerRecord.restore();
    await writeFileAtomic(appPaths.launch, JSON.stringify(launchFile));
  },
  onSuperseded: () => shutdown(app).then(end),
});
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
  process.on(signal, () => shutdown(app).then(end));
}
process.on('SIGHUP', () => {});
await app.previousWorkers.end(readWorkers(appPaths.workers), launchFile.spec);
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
