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

  /** Call this when a primary is connected again. */
  cancelExpiry() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  close() {
    this.cancelExpiry();
    super.close();
  }
}

/** Holds the sockets of a primary, which is not trusted, now and as they come and go. */
export class SocketHolder {
  /** Through which they come. @type {Channel | null} */
  #channel = null;
  /** The latest time that they were asked for. */
  #turn = {};
  #paths;
  #links;
  #log;

  /** @param {PrimaryPaths} paths @param {ReadonlyMap<string, PrimaryLink>} links of its apps @param {Log} log */
  constructor(paths, links, log) {
    this.#paths = paths;
    this.#links = links;
    this.#log = log;
  }

  /** All of them again. @param {PrimaryRecord} primary @param {() => boolean} isConnected still, as now */
  async hold({ pid, uid }, isConnected) {
    this.close();
    const turn = (this.#turn = {});
    const isCurrent = () => this.#turn === turn && isConnected();
    const fail = (/** @type {string} */ reason) => {
      if (!isCurrent()) return;
      this.#closeSockets();
      // They run without this protection.
      for (const app of this.#links.keys())
        this.#log.warn('primary.sockets-not-held', { app, primary: pid, reason });
    };
    // What another user sends is about the only app of that primary.
    const [only] = this.#links.values();
    const linkOf = (/** @type {unknown} */ app) =>
      uid === undefined ? this.#links.get(String(app)) : only;
    try {
      const { handover, user } = this.#paths;
      const channel = await (user
        ? receiveSockets(user, handover)
        : connectChannel(handover, CONNECT_MS));
      if (!isCurrent()) return channel.close();
      this.#channel = channel;
      this.#closeSockets();
      holdFrom(channel, (app) => linkOf(app)?.heldSockets, fail);
      channel.send({});
    } catch (error) {
      fail(/** @type {Error} */ (error).message);
    }
  }

  #closeSockets() {
    for (const { isHosted, heldSockets } of this.#links.values()) if (isHosted) heldSockets.close();
  }

  /** What is held stays. */
  close() {
    this.#channel?.close();
    this.#channel = null;
  }
}
