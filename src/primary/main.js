/**
 * A primary: `node src/primary/main.js <PrimaryLaunch> [<Descriptors>]`, both as JSON. It owns the listening sockets, the
 * workers and the logs of its apps, and keeps running when the daemon dies. As another user it may not enter the home
 * directory: then its files are in its working directory.
 */
import net from 'node:net';
import { homePaths } from '../shared/home.js';
import { exitAtOnce } from '../shared/processes/signal.js';
import { DaemonLink } from './daemon-link.js';
import { Host } from './host.js';

/**
 * @import { InheritedSocket } from '../shared/inherited-socket.js'
 * @import { Output, PrimaryLaunch } from '../shared/processes/records.js'
 *
 * @typedef {object} Descriptors
 * @property {number} [starter] a pipe that closes when the daemon that started this primary exits
 * @property {InheritedSocket[]} [sockets] of its first app
 * @property {Output} [output] of `run`: where the output of the workers goes
 */

// Its log may be on a full disk: neither a warning of Node's nor a line of its own may end it.
process.stderr.on('error', () => {});
const [launchText, inherited = '{}'] = process.argv.slice(2);
/** @type {PrimaryLaunch} */
const launch = JSON.parse(launchText);
/** @type {Descriptors} */
const descriptors = JSON.parse(inherited);
const { home, daemon } = launch;
const ownEnvironment = takeEnvironment();
const daemonLink = new DaemonLink(
  daemon && { ...daemon, home, log: homePaths(home).daemonLog, env: ownEnvironment },
);
const host = new Host(
  launch,
  daemonLink,
  { baseEnv: launch.isOtherUser ? ownEnvironment : {}, output: descriptors.output },
  descriptors.sockets ?? [],
  (code) => (code === 0 ? exitAtOnce() : process.exit(code)),
);
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT']))
  process.on(signal, () => host.shutDown());
process.on('SIGHUP', () => {});
process.on('uncaughtException', (error) => host.noteBug(error));

void run();

async function run() {
  const starter = connectStarter(descriptors.starter);
  await host.listen();
  starter?.write('listening\n');
}

/** node:cluster adds the primary's environment to that of the app, so it is emptied, and kept for the next daemon. */
function takeEnvironment() {
  const taken = /** @type {Record<string, string>} */ ({ ...process.env });
  for (const name of Object.keys(process.env)) delete process.env[name];
  return taken;
}

/** @param {number} [fd] a pipe that closes when the daemon that started this primary exits */
function connectStarter(fd) {
  if (fd === undefined) return null;
  // `run` was killed: nothing starts it again from here, so the apps end too.
  const ended = descriptors.output ? () => host.shutDown() : () => host.starterExited();
  return new net.Socket({ fd }).on('error', ended).once('end', ended).resume();
}
