/**
 * Ensures one daemon per home directory without flock, which Node lacks. The targets of the symbolic
 * links daemon.lock.N are process identities, and the highest N holds the lock while its process runs.
 * The highest link is never removed, so when holder N has exited, symlink(2) lets exactly one process
 * create N+1. A link appears with its target, and needs no space on a full disk.
 */
import { once } from 'node:events';
import { rmSync, symlinkSync } from 'node:fs';
import { NodeclusterError, attempt } from '../errors/error.js';
import { daemonPid, lockFile, readLocks, identityText } from '../shared/processes/daemon-lock.js';
import { identify } from '../shared/processes/identity.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../protocol/server.js';
import { within } from '../shared/deadline.js';
import { checkDesired } from '../shared/files/desired-file.js';
import { readService } from '../shared/processes/service-record.js';
import { sendSignal } from '../shared/processes/signal.js';
import { isManaged } from './init-system.js';
import { acceptChannels, connectChannel } from '../protocol/handle-channel.js';
import { SocketSet, giveAll, holdFrom } from '../protocol/socket-set.js';

/**
 * @import { HomePaths } from '../shared/home.js'
 * @import { HandleChannel } from '../protocol/handle-channel.js'
 * @import { Handle } from '../shared/inherited-socket.js'
 * @import { AppTable } from './apps/table.js'
 * @import { Log } from './log.js'
 */

/** Short: in the meantime no daemon manages the apps, and 300 ms later primaries start one. */
const POLL_MS = 5;
/** ms for the other daemon to save what is in progress; a frozen one is killed then. */
const LEAVE_MS = 10_000;

/**
 * @param {string} home
 * @returns {boolean} whether this process is the daemon of the home until it exits
 * @throws {NodeclusterError} E_HOME_LOCK
 */
export function takeLock(home) {
  const highest = readLocks(home).at(-1)?.number ?? 0;
  const pid = daemonPid(home);
  // Its own if the home could not be read just after it was created.
  if (pid !== null) return pid === process.pid;
  const own = create(home, highest + 1);
  if (own === null) return false;
  const numbers = readLocks(home).map(({ number }) => number);
  if (numbers.some((number) => number > own)) {
    removeLock(home, own);
    return false;
  }
  for (const number of numbers) {
    if (number < own) removeLock(home, number);
  }
  return true;
}

/**
 * @param {string} home @param {number} number of the new lock
 * @returns {number | null} a higher one if something that is not a lock has that name; null: another process was faster
 */
function create(home, number) {
  const own = identify(process.pid);
  const reason = 'this process could not be identified';
  if (own === null) throw new NodeclusterError('E_HOME_LOCK', { home, reason });
  try {
    symlinkSync(identityText(own), lockFile(home, number));
    return number;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    const isLock = readLocks(home).some((lock) => lock.number === number);
    return isLock ? null : create(home, number + 1);
  }
}

/** @param {string} home @param {number} number */
function removeLock(home, number) {
  // If it stays: its process does not hold the lock, and the next daemon tries again.
  attempt(() => rmSync(lockFile(home, number), { force: true }), null);
}

/**
 * The daemon that `update` or an init system starts replaces the one that runs. That one is asked to leave by a signal,
 * which every version understands; the apps do not notice.
 * @param {HomePaths} paths
 * @returns {Promise<HandedSockets>} those that the other daemon held, when this process holds the lock of the home
 * @throws {NodeclusterError} E_DAEMON_RUNS if an init system runs both; E_HOME_READ, E_HOME_LOCK, E_PROTOCOL_SOCKET;
 *   the other daemon stays
 */
export async function claimLock(paths) {
  const { home, service, desired, daemonSocket, daemonHandover } = paths;
  checkDesired(desired);
  // With what it imports, this process has loaded the whole daemon.
  const server = await serve(`${daemonSocket}~`, { methods: {}, hello: { role: 'check' } });
  await server.close();
  const handed = daemonPid(home) === null ? new Map() : await receiveHanded(daemonHandover);
  let asked = { pid: 0, atMs: -Infinity };
  for (;;) {
    try {
      if (takeLock(home)) return handed;
      asked = askToLeave(home, service, asked);
    } catch (error) {
      // The other one leaves already: no daemon would follow it.
      const mayPass = performance.now() - asked.atMs < LEAVE_MS;
      if (NodeclusterError.from(error).code !== 'E_HOME_LOCK' || !mayPass) throw error;
    }
    await sleep(POLL_MS);
  }
}

/** Who is asked now. @param {string} home @param {string} service @param {{pid: number, atMs: number}} asked who was before */
function askToLeave(home, service, asked) {
  const pid = daemonPid(home);
  if (pid === null) return asked;
  if (isManaged && pid === readService(service)?.pid) {
    throw new NodeclusterError('E_DAEMON_RUNS', { home, pid, isService: true });
  }
  if (asked.pid !== pid) {
    sendSignal(pid, 'SIGTERM');
    return { pid, atMs: performance.now() };
  }
  if (performance.now() - asked.atMs > LEAVE_MS) sendSignal(pid, 'SIGKILL');
  return asked;
}

/** @typedef {Map<unknown, SocketSet<Handle>>} HandedSockets by the name of the app */

/** ms for the running daemon to give all of them; one that is frozen gives none. */
const GIVE_MS = 5000;

/** @param {string} path @param {AppTable} table @param {Log} log @returns {Promise<() => void>} ends it */
export async function offerSockets(path, table, log) {
  const give = (/** @type {HandleChannel} */ channel) => {
    const all = table.all();
    const held = all.map(({ name, link }) => /** @type {const} */ ([name, link.heldSockets]));
    void giveAll(channel, held, GIVE_MS);
  };
  try {
    return await acceptChannels(path, give);
  } catch (error) {
    log.warn('handover.closed', { reason: /** @type {Error} */ (error).message });
    return () => {};
  }
}

/**
 * The sockets that the daemon before holds, before that one leaves: a primary that is silent, or is killed meanwhile,
 * cannot give them to the next. None if no daemon gives any.
 * @param {string} path
 */
async function receiveHanded(path) {
  /** @type {HandedSockets} */
  const handed = new Map();
  // Where none listens, it was killed, and its sockets are closed.
  const channel = await connectChannel(path, GIVE_MS).catch(() => null);
  if (channel === null) return handed;
  holdFrom(channel, (owner) => {
    if (!handed.has(owner)) handed.set(owner, new SocketSet());
    return handed.get(owner);
  });
  await within(once(channel, 'close'), GIVE_MS);
  channel.close();
  return handed;
}
