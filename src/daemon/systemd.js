/**
 * What the daemon and systemd tell each other. It notifies systemd (sd_notify) through `systemd-notify`, because Node has no unix datagram sockets.
 * Without --no-block: it waits until systemd has read the message, which systemd ignores if its
 * sender has exited by then and may not name another process, as root may.
 */
import { execFile } from 'node:child_process';
import { listeningAddress, openSocket } from '../shared/inherited-socket.js';
import { NodeclusterError } from '../errors/error.js';
import { connect } from '../protocol/client.js';
import { VERSION } from '../shared/version.js';

/**
 * @import { InheritedSocket } from '../shared/inherited-socket.js'
 * @import { DaemonClient } from '../protocol/methods.js'
 * @import { HomePaths } from '../shared/home.js'
 */

/** The child is killed after this time; the daemon never waits for it. */
const TIMEOUT_MS = 10_000;
const NOTIFY_VARIABLES = ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'];

/**
 * @typedef {object} Notifier does nothing where no init system listens
 * @property {number | null} watchdogMs the longest time between two pings; null: none are expected
 * @property {Record<string, string | undefined>} env as it was
 * @property {() => void} ready
 * @property {() => void} ping
 * @property {(reason: string) => void} onFailure
 */

/**
 * Removes the variables from the environment, so that no other process inherits them.
 * @param {Record<string, string | undefined>} env
 */
export function takeNotifier(env) {
  const before = { ...env };
  for (const name of NOTIFY_VARIABLES) delete env[name];
  /** @type {Notifier} */
  const notifier = {
    watchdogMs: before.NOTIFY_SOCKET ? watchdogMs(before) : null,
    env: before,
    ready: () => notify(['--ready']),
    ping: () => notify(['WATCHDOG=1']),
    onFailure: () => {},
  };
  const notify = (/** @type {string[]} */ args) => {
    const { PATH, NOTIFY_SOCKET } = before;
    if (!NOTIFY_SOCKET) return;
    const options = { env: { PATH, NOTIFY_SOCKET }, timeout: TIMEOUT_MS };
    execFile('systemd-notify', args, options, (error) => {
      if (error) notifier.onFailure(error.message.trim());
    });
  };
  return notifier;
}

/** @param {Record<string, string | undefined>} env */
function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }) {
  const ms = Math.floor(Number(WATCHDOG_USEC) / 1000);
  const isMeant = WATCHDOG_PID === undefined || WATCHDOG_PID === String(process.pid);
  return ms > 0 && isMeant ? ms : null;
}

/** The first of the descriptors of sockets that an init system opened for this daemon: sd_listen_fds(3). */
const FIRST = 3;
/** So that the command line of a primary, which names them, stays short. */
const MAX_SOCKETS = 64;
const LISTEN_VARIABLES = ['LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES', 'LISTEN_PIDFDID'];

/**
 * The daemon never accepts from them and never closes them: each primary inherits them. Removes the variables from the
 * environment, so that no other process inherits them.
 * @param {Record<string, string | undefined>} env
 * @returns {{sockets: InheritedSocket[], ignored: number[]}} ignored: descriptors that are not
 *   listening TCP sockets
 */
export function takeSockets(env) {
  const { LISTEN_FDS, LISTEN_PID } = env;
  for (const name of LISTEN_VARIABLES) delete env[name];
  const isMeant = LISTEN_PID === String(process.pid) && /^\d+$/.test(LISTEN_FDS ?? '');
  const count = isMeant ? Math.min(Number(LISTEN_FDS), MAX_SOCKETS) : 0;
  /** @type {InheritedSocket[]} */
  const sockets = [];
  const ignored = [];
  for (let fd = FIRST; fd < FIRST + count; fd++) {
    const handle = openSocket(fd);
    const at = handle && listeningAddress(handle);
    if (at) sockets.push({ name: `${at.address}:${at.port}`, fd, isLasting: true });
    else ignored.push(fd);
  }
  return { sockets, ignored };
}

const HELLO = { role: 'watchdog', version: VERSION };
/** The daemon did not reply. Any other error is a reply, such as "too many clients". */
const NO_REPLY = ['E_PROTOCOL_UNREACHABLE', 'E_PROTOCOL_TIMEOUT', 'E_PROTOCOL_CLOSED'];

/**
 * @param {HomePaths} paths
 * @param {number} limitMs after which the init system replaces a daemon that has not pinged
 * @param {() => void} ping
 */
export function startWatchdog({ daemonSocket }, limitMs, ping) {
  const everyMs = limitMs / 2;
  const check = async () => {
    if (await replies(daemonSocket, everyMs / 2)) ping();
  };
  setInterval(check, everyMs).unref();
}

/** @param {string} socket @param {number} timeoutMs */
async function replies(socket, timeoutMs) {
  try {
    /** @type {DaemonClient} */
    const client = await connect(socket, { hello: HELLO, timeoutMs });
    await client.request('ping', {}, { timeoutMs }).finally(() => client.close());
    return true;
  } catch (error) {
    return !NO_REPLY.includes(NodeclusterError.from(error).code);
  }
}
