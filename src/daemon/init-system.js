/** Which init system runs this daemon, and whether it is shutting the machine down: then the apps stop before the daemon does. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const TIMEOUT_MS = 5000;
/** OpenRC writes the name of the runlevel into it. */
const RUNLEVEL_FILE = '/run/openrc/softlevel';
const LAST_RUNLEVELS = ['shutdown', 'reboot', 'off'];

/**
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<boolean>} false also if the init system does not say
 */
export async function isSystemStopping({ NOTIFY_SOCKET, MANAGERPID }) {
  if (!NOTIFY_SOCKET) return LAST_RUNLEVELS.includes(await runlevel());
  // systemd sets it for the units of a user.
  const manager = MANAGERPID ? ['--user'] : [];
  return (await firstLineOf('systemctl', [...manager, 'is-system-running'])) === 'stopping';
}

async function runlevel() {
  return (await readFile(RUNLEVEL_FILE, 'utf8').catch(() => '')).trim();
}

/**
 * `is-system-running` exits with 1 in every state but one.
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<string>}
 */
function firstLineOf(command, args) {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: TIMEOUT_MS }, (_error, stdout) => resolve(stdout.trim()));
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
