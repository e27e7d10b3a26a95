/**
 * Listening sockets that two processes have open, by name: one of them listens and accepts, the other only
 * holds them, so that connections wait in the kernel's queue if the first is killed, and its next one
 * inherits them. The first hands over what it opens, one difference at a time, each when there is a reply to
 * the one before: `{hold: <name>}` with a socket, `{release: <name>}` for one that it has closed, `{}`. The
 * other trusts nothing that comes.
 */
import { once } from 'node:events';
import { within } from '../shared/deadline.js';
import { listeningAddress } from '../shared/inherited-socket.js';
import { MAX_HANDLES } from './handle-channel.js';

/**
 * @import { EventEmitter } from 'node:events'
 * @import { HandleChannel } from './handle-channel.js'
 * @import { Handle, InheritedSocket } from '../shared/inherited-socket.js'
 *
 * @typedef {Pick<Handle, 'close'>} Socket
 * @typedef {EventEmitter & Pick<HandleChannel, 'send' | 'close'>} Channel
 */

export const NOT_SOCKETS = 'it sent something else than its sockets';

/** The sockets of one side. It closes only those that it was handed. @template {Socket} T */
export class SocketSet {
  /** @type {Map<string, T>} */
  #sockets = new Map();
  /** Those that the other side holds. @type {Map<string, T>} */
  #heldThere = new Map();
  /** @type {Channel | null} */
  #channel = null;
  /** Whether there is no reply to the last message yet. */
  #isWaiting = false;
  #hasEnded = false;

  entries() {
    return [...this.#sockets];
  }

  /** Whether the other side has all that is here, and nothing else, or cannot be asked. */
  get isSettled() {
    return !this.#isWaiting || this.#hasEnded;
  }

  /** @param {string} name @param {T} socket that listens already */
  add(name, socket) {
    this.#sockets.set(name, socket);
    this.#handOver();
  }

  /** @param {string} name */
  remove(name) {
    const socket = this.#sockets.get(name);
    this.#sockets.delete(name);
    this.#handOver();
    return socket;
  }

  /** Keeps the other side's the same as these. @param {Channel} channel to one that holds none yet */
  handOverTo(channel) {
    this.#channel?.close();
    this.#channel = channel;
    this.#heldThere.clear();
    this.#isWaiting = false;
    channel.on('message', () => {
      if (this.#channel !== channel) return;
      this.#isWaiting = false;
      this.#handOver();
    });
    this.#handOver();
  }

  /** From now on the other side keeps what it holds. */
  end() {
    this.#hasEnded = true;
    this.#channel?.close();
  }

  /**
   * Keeps these the same as the other side's, which hands over all that it has again.
   * @param {Channel} channel
   * @param {(reason: string) => void} onFailure nothing is held any more
   */
  holdFrom(channel, onFailure) {
    this.close();
    this.#hasEnded = true;
    this.#channel = channel;
    const fail = (/** @type {string} */ reason) => {
      if (this.#channel !== channel) return;
      this.close();
      onFailure(reason);
    };
    channel.on('failed', fail);
    channel.on('message', (message, socket) => {
      if (this.#channel !== channel) return socket?.close();
      if (this.#accept(message, socket)) return channel.send({});
      socket?.close();
      fail(NOT_SOCKETS);
    });
  }

  /** Closes all. */
  close() {
    this.#channel?.close();
    this.#channel = null;
    for (const socket of this.#sockets.values()) socket.close();
    this.#sockets.clear();
  }

  /** Sends the next difference between the two sides. */
  #handOver() {
    if (!this.#channel || this.#isWaiting || this.#hasEnded) return;
    for (const [name, socket] of this.#heldThere) {
      if (this.#sockets.get(name) === socket) continue;
      this.#heldThere.delete(name);
      return this.#send({ release: name });
    }
    if (this.#heldThere.size === MAX_HANDLES) return;
    for (const [name, socket] of this.#sockets) {
      if (this.#heldThere.has(name)) continue;
      this.#heldThere.set(name, socket);
      return this.#send({ hold: name }, socket);
    }
  }

  /** @param {object} message @param {T} [socket] */
  #send(message, socket) {
    this.#isWaiting = true;
    this.#channel?.send(message, /** @type {any} */ (socket));
  }

  /** @param {{hold?: unknown, release?: unknown}} message @param {any} socket @returns {boolean} */
  #accept({ hold, release }, socket) {
    if (typeof release === 'string') {
      const held = this.#sockets.get(release);
      held?.close();
      return this.#sockets.delete(release) && socket === null;
    }
    if (typeof hold !== 'string' || socket === null) return false;
    if (!hold.endsWith(`:${listeningAddress(socket)?.port}`)) return false;
    if (this.#sockets.has(hold) || this.#sockets.size === MAX_HANDLES) return false;
    this.#sockets.set(hold, socket);
    return true;
  }
}

/** Owner: whose it is, where the giver holds those of several. @typedef {InheritedSocket & {owner?: string}} GivenSocket */

/**
 * To a process that has none of them yet. Both have them then.
 * @param {Channel} channel
 * @param {GivenSocket[]} sockets that have a handle
 * @param {number} timeoutMs for each
 * @returns {Promise<boolean>} whether it has all
 */
export async function giveSockets(channel, sockets, timeoutMs) {
  for (const { owner, name, isLasting, isPrivileged, handle } of sockets) {
    const reply = once(channel, 'message');
    channel.send({ owner, name, isLasting, isPrivileged }, handle);
    if ((await within(reply, timeoutMs)) === null) return false;
  }
  return true;
}

/**
 * @param {Channel} channel of a daemon that gives them
 * @param {number} count Infinity: until the giver closes the channel
 * @param {number} timeoutMs
 * @returns {Promise<GivenSocket[]>} fewer if it took too long
 */
export async function receiveSockets(channel, count, timeoutMs) {
  /** @type {GivenSocket[]} */
  const received = [];
  const all = new Promise((resolve) => {
    channel.on('close', resolve);
    channel.on('message', (socket, handle) => {
      if (handle) received.push({ ...socket, handle });
      channel.send({});
      if (received.length === count) resolve(null);
    });
  });
  await within(all, timeoutMs);
  return received;
}
