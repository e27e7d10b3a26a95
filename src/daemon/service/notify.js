/**
 * Notifies systemd (sd_notify) through `systemd-notify`, because Node has no unix datagram sockets.
 * Without --no-block: it waits until systemd has read the message, which systemd ignores if its
 * sender has exited by then and may not name another process, as root may.
 */
import { execFile } from 'node:child_process';

/** The child is killed after this time; the daemon never waits for it. */
const TIMEOUT_MS = 10_000;
const OWN_VARIABLES = ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'];

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
 * @returns {Notifier}
 */
export function takeNotifier(env) {
  const before = { ...env };
  for (const name of OWN_VARIABLES) delete env[name];
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
