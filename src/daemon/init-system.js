/**
 * What the daemon and its init system tell each other. It notifies systemd (sd_notify) through `systemd-notify`, because Node has no unix datagram sockets.
 * Without --no-block: it waits until systemd has read the message, which systemd ignores if its
 * sender has exited by then and may not name another process, as root may.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { listeningAddress, openSocket } from '../shared/inherited-socket.js';

/** @import { InheritedSocket } from '../shared/inherited-socket.js' */

const STATE_MS = 5000;
/** OpenRC writes the name of the runlevel into it. */
const RUNLEVEL_FILE = '/run/openrc/softlevel';
const LAST_RUNLEVELS = ['shutdown', 'reboot', 'off'];

/**
 * Whether the machine is shutting down: then the apps stop before the daemon does.
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<boolean>} false also if the init system does not say
 */
export async function isSystemStopping({ NOTIFY_SOCKET, MANAGERPID }) {
  if (!NOTIFY_SOCKET) {
    const runlevel = await readFile(RUNLEVEL_FILE, 'utf8').catch(() => '');
    return LAST_RUNLEVELS.includes(runlevel.trim());
  }
  // systemd sets it for the units of a user.
  const manager = MANAGERPID ? ['--user'] : [];
  const args = [...manager, 'is-system-running'];
  return new Promise((resolve) => {
    // It exits with 1 in every state but one.
    execFile('systemctl', args, { timeout: STATE_MS }, (_error, stdout) =>
      resolve(stdout.trim() === 'stopping'),
    );
  });
}

/**
 * Whether an init system runs this daemon. If so, it also starts the next one, and its SIGTERM means that no primary may
 * start one. NODECLUSTER_SERVICE is set by the files that `nodecluster startup` writes.
 */
export const isManaged =
  process.env.NOTIFY_SOCKET !== undefined || process.env.NODECLUSTER_SERVICE !== undefined;

/** How this daemon was started, for the primaries that start the next one. */
export const OWN_LAUNCH = {
  execPath: process.execPath,
  script: fileURLToPath(new URL('main.js', import.meta.url)),
};

const NOTIFY_MS = 10_000;
const NOTIFY_VARIABLES = ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'];

/** @typedef {ReturnType<typeof takeNotifier>} Notifier does nothing where no init system listens */

/**
 * Removes the variables from the environment, so that no other process inherits them, and pings from now on.
 * @param {Record<string, string | undefined>} env
 */
export function takeNotifier(env) {
  const before = { ...env };
  for (const name of NOTIFY_VARIABLES) delete env[name];
  const notifier = {
    /** After which the init system replaces a daemon that has not pinged; null: it expects no pings. */
    watchdogMs: before.NOTIFY_SOCKET ? watchdogMs(before) : null,
    env: before,
    ready: () => notify(['--ready']),
    onFailure: (/** @type {string} */ _reason) => {},
  };
  const notify = (/** @type {string[]} */ args) => {
    const { PATH, NOTIFY_SOCKET } = before;
    if (!NOTIFY_SOCKET) return;
    const options = { env: { PATH, NOTIFY_SOCKET }, timeout: NOTIFY_MS };
    execFile('systemd-notify', args, options, (error) => {
      if (error) notifier.onFailure(error.message.trim());
    });
  };
  if (notifier.watchdogMs) setInterval(notify, notifier.watchdogMs / 2, ['WATCHDOG=1']).unref();
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
 * @returns {{sockets: InheritedSocket[], ignored: number[]}} ignored: descriptors that are not listening TCP sockets
 */
export function takeSockets(env) {
  const { LISTEN_FDS, LISTEN_PID } = env;
  for (const name of LISTEN_VARIABLES) delete env[name];
  const isMeant = LISTEN_PID === String(process.pid) && /^\d+$/.test(LISTEN_FDS ?? '');
  const count = isMeant ? Math.min(Number(LISTEN_FDS), MAX_SOCKETS) : 0;
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
