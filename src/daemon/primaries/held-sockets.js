/**
 * The sockets that one app's primary listens on: the daemon keeps them open too, and never accepts
 * from them. While one is open, connections wait in the kernel's queue instead of being refused, and
 * the primary that follows a killed one inherits it. A primary may run as another user, so nothing
 * that it sends is trusted.
 */
import { MAX_HANDLES, connectChannel } from '../../protocol/handle-channel.js';
import { listeningAddress } from '../../shared/inherited-socket.js';
import { NOT_SOCKETS, receiveSockets } from '../users/received-sockets.js';

/**
 * @import { EventEmitter } from 'node:events'
 * @import { HandleChannel } from '../../protocol/handle-channel.js'
 * @import { AppPaths } from '../../shared/home.js'
 * @import { Handle, InheritedSocket } from '../../shared/inherited-socket.js'
 *
 * @typedef {EventEmitter & Pick<HandleChannel, 'send' | 'close'>} Channel to a primary
 */

const CONNECT_MS = 5000;

export class HeldSockets {
  /** @type {Map<string, Handle>} by the address that it listens on */
  #handles = new Map();
  /** @type {Channel | null} */
  #channel = null;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @returns {InheritedSocket[]} for the next primary */
  get all() {
    return [...this.#handles].map(([name, { fd }]) => ({ name, fd }));
  }

  /** @returns {[string, Handle][]} for the next daemon */
  entries() {
    return [...this.#handles];
  }

  /** @param {string} name @param {Handle} handle that this daemon opened, or the one before gave it, for the next primary */
  add(name, handle) {
    this.#handles.set(name, handle);
  }

  /** @param {string} name of a socket that the next primary does not get */
  remove(name) {
    this.#handles.get(name)?.close();
    this.#handles.delete(name);
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
      if (isCurrent()) this.receiveFrom(channel, onFailure);
      else channel.close();
    } catch (error) {
      if (isCurrent()) onFailure(/** @type {Error} */ (error).message);
    }
  }

  /**
   * Closes those that were held so far: the primary gives all that it has again.
   * @param {Channel} channel to the current primary
   * @param {(reason: string) => void} onFailure
   */
  receiveFrom(channel, onFailure) {
    this.releaseAll();
    this.#channel = channel;
    const fail = (/** @type {string} */ reason) => {
      if (this.#channel !== channel) return;
      this.releaseAll();
      onFailure(reason);
    };
    channel.on('failed', fail);
    channel.on('message', (message, handle) => {
      if (this.#channel !== channel) return handle?.close();
      if (this.#accept(message, handle)) return channel.send({});
      handle?.close();
      fail(NOT_SOCKETS);
    });
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
    this.#channel?.close();
    this.#channel = null;
    for (const handle of this.#handles.values()) handle.close();
    this.#handles.clear();
  }

  /**
   * @param {{hold?: unknown, release?: unknown}} message
   * @param {Handle | null} handle
   * @returns {boolean} false: a primary does not send this
   */
  #accept({ hold, release }, handle) {
    if (typeof release === 'string') {
      const held = this.#handles.get(release);
      held?.close();
      return this.#handles.delete(release) && handle === null;
    }
    if (typeof hold !== 'string' || handle === null || !isAt(handle, hold)) return false;
    if (this.#handles.has(hold) || this.#handles.size === MAX_HANDLES) return false;
    this.#handles.set(hold, handle);
    return true;
  }
}

/** @param {Handle} handle @param {string} name @returns {boolean} whether it listens on that port */
function isAt(handle, name) {
  return name.endsWith(`:${listeningAddress(handle)?.port}`);
}
