/**
 * A primary: `node src/primary/main.js <launch.json> [<descriptors, as JSON>]`. It owns the listening
 * sockets, the workers and the logs of one app, or of several small ones, and keeps running when the
 * daemon dies. As another user than the daemon's it may not enter the home directory: then its
 * parameters come from stdin (`-`), and its files are in its working directory.
 */
import net from 'node:net';
import { homePaths } from '../shared/home.js';
import { exitAtOnce } from '../shared/processes/signal.js';
import { DaemonLink } from './daemon-link.js';
import { Host } from './host.js';
import { readLaunch } from './hosted-app.js';

/** @import { Descriptors } from './hosted-app.js' */

// Its log may be on a full disk: neither a warning of Node's nor a line of its own may end it.
process.stderr.on('error', () => {});
const [source, inherited = '{}'] = process.argv.slice(2);
const launch = readLaunch(source);
/** @type {Descriptors} */
const descriptors = JSON.parse(inherited);
const { home, daemon } = launch.file;
const ownEnvironment = takeEnvironment();
const daemonLink = new DaemonLink(
  daemon && { ...daemon, home, log: homePaths(home).daemonLog, env: ownEnvironment },
);
const host = new Host(
  {
    daemonLink,
    baseEnv: launch.isOtherUser ? ownEnvironment : {},
    output: descriptors.output,
  },
  (code) => (code === 0 ? exitAtOnce() : process.exit(code)),
);
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT']))
  process.on(signal, () => host.shutDown());
process.on('SIGHUP', () => {});
process.on('uncaughtException', (error) => host.noteBug(error));

void run();

async function run() {
  const starter = connectStarter(descriptors.starter);
  const app = host.add(launch);
  await app.listen();
  starter?.write('listening\n');
  await app.run(descriptors.sockets ?? []);
}

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
  // `run` was killed: nothing starts it again from here, so the apps end too.
  const ended = descriptors.output ? () => host.shutDown() : () => daemonLink.starterExited();
  return new net.Socket({ fd }).on('error', ended).once('end', ended).resume();
}
