import { poll } from '../shared/deadline.js';
import { isAlive } from '../shared/processes/identity.js';

/** @import { ProcessIdentity } from '../shared/processes/records.js' */

/** How long to wait for the daemon to exit after its reply. */
const TIMEOUT_MS = 10_000;
const POLL_MS = 10;

/**
 * Without this, the next command or the removal of the home directory could meet a daemon that is
 * still exiting.
 * @param {ProcessIdentity | null} daemon null: it has exited already
 */
export async function waitForExit(daemon) {
  if (daemon) await poll(() => !isAlive(daemon), { timeoutMs: TIMEOUT_MS, everyMs: POLL_MS });
}
