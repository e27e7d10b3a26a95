/**
 * The sockets that one app's primary listens on: the daemon keeps them open too, and never accepts
 * from them. A primary may run as another user, so nothing that it sends is trusted.
 */
import { connectChannel } from '../../protocol/handle-channel.js';
import { SocketSet } from '../../protocol/socket-set.js';
import { receiveSockets } from '../users/received-sockets.js';

/**
 * @import { Channel } from '../../protocol/socket-set.js'
 * @import { AppPaths } from '../../shared/home.js'
 * @import { Handle, InheritedSocket } from '../../shared/inherited-socket.js'
 */

const CONNECT_MS = 5000;

/** @extends {SocketSet<Handle>} by address; the next daemon gets its entries */
export class HeldSockets extends SocketSet {
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @returns {InheritedSocket[]} for the next primary */
  get all() {
    return this.entries().map(([name, { fd }]) => ({ name, fd }));
  }

  /**
   * Holds the sockets of a primary, now and as they come and go.
   * @param {Pick<AppPaths, 'handover' | 'user'>} paths of the primary
   * @param {() => boolean} isCurrent whether it still is the primary of the app
   * @param {(reason: string) => void} onFailure the app runs without this protection
   */
  async follow({ handover, user }, isCurrent, onFailure) {
    try {
      const channel = await (user
        ? receiveSockets(user, handover)
        : connectChannel(handover, CONNECT_MS));
      if (isCurrent()) this.holdFrom(channel, onFailure);
      else channel.close();
    } catch (error) {
      if (isCurrent()) onFailure(/** @type {Error} */ (error).message);
    }
  }

  /**
   * Closes those that were held so far: the primary hands over all that it has again.
   * @param {Channel} channel to the current primary
   * @param {(reason: string) => void} onFailure
   */
  holdFrom(channel, onFailure) {
    this.cancelExpiry();
    super.holdFrom(channel, onFailure);
  }

  /**
   * Call this when the primary has exited: clients must not wait forever for the next.
   * @param {number} timeoutMs how long they stay open without one
   */
  expire(timeoutMs) {
    this.#timer ??= setTimeout(() => this.releaseAll(), timeoutMs);
  }

  /** Call this when a primary is connected again. */
  cancelExpiry() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Call this when no primary will follow. */
  releaseAll() {
    this.cancelExpiry();
    this.close();
  }
}
