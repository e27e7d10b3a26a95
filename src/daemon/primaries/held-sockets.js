/** The sockets that primaries listen on: the daemon keeps them open too, and never accepts from them. */
import { connectChannel } from '../../protocol/handle-channel.js';
import { SocketSet, holdFrom } from '../../protocol/socket-set.js';
import { receiveSockets } from '../users/user-primary.js';

/**
 * @import { Channel } from '../../protocol/socket-set.js'
 * @import { PrimaryPaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 * @import { Log } from '../log.js'
 * @import { PrimaryLink } from './link.js'
 * @import { Handle, InheritedSocket } from '../../shared/inherited-socket.js'
 */

const CONNECT_MS = 5000;

/** Of one app. @extends {SocketSet<Handle>} by address; the next daemon gets its entries */
export class HeldSockets extends SocketSet {
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @returns {InheritedSocket[]} for the next primary */
  get all() {
    return this.entries().map(([name, handle]) => ({ name, fd: handle.fd, handle }));
  }

  /** Call this when the primary has exited: clients must not wait forever for the next. @param {number} timeoutMs */
  expire(timeoutMs) {
    this.#timer ??= setTimeout(() => this.close(), timeoutMs);
  }

  cancelExpiry() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  close() {
    this.cancelExpiry();
    super.close();
  }
}

/**
 * Holds all sockets of a primary, which is not trusted, now and as they come and go.
 * @param {PrimaryPaths} paths
 * @param {PrimaryRecord} record
 * @param {ReadonlyMap<string, PrimaryLink>} links of its apps
 * @param {Log} log
 * @returns what ends it; what is held stays
 */
export function holdSockets({ handover, user }, { pid, uid }, links, log) {
  let isOver = false;
  /** @type {Channel | null} */
  let channel = null;
  const closeAll = () => {
    for (const { isHosted, heldSockets } of links.values()) if (isHosted) heldSockets.close();
  };
  const fail = (/** @type {string} */ reason) => {
    if (isOver) return;
    closeAll();
    // They run without this protection.
    for (const app of links.keys())
      log.warn('primary.sockets-not-held', { app, primary: pid, reason });
  };
  // What another user sends is about the only app of that primary.
  const [only] = links.values();
  const setOf = (/** @type {unknown} */ app) =>
    (uid === undefined ? links.get(String(app)) : only)?.heldSockets;
  const hold = async () => {
    const opening = user ? receiveSockets(user, handover) : connectChannel(handover, CONNECT_MS);
    const opened = await opening;
    if (isOver) return opened.close();
    channel = opened;
    closeAll();
    holdFrom(opened, setOf, fail);
    opened.send({});
  };
  hold().catch(({ message }) => fail(message));
  return () => {
    isOver = true;
    channel?.close();
  };
}
