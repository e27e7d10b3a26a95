/**
 * Listening sockets that two processes have open, by owner and name: one accepts, the other only holds them, so that
 * connections wait if the first is killed, and its next one inherits them. The first hands over one difference at a time,
 * each after the reply to the one before: `{owner, hold: <name>}` with a socket, or `{owner, release: <name>}`.
 */
import { poll } from '../shared/deadline.js';
import { listeningAddress } from '../shared/inherited-socket.js';
import { MAX_HANDLES } from './handle-channel.js';

/**
 * @import { EventEmitter } from 'node:events'
 * @import { HandleChannel } from './handle-channel.js'
 * @import { Handle } from '../shared/inherited-socket.js'
 *
 * @typedef {Pick<Handle, 'close'>} Socket
 * @typedef {EventEmitter & Pick<HandleChannel, 'send' | 'close'>} Channel
 */

/** ms between two looks whether the other side has all. */
const LOOK_MS = 5;
export const NOT_SOCKETS = 'it sent something else than its sockets';

/** The sockets of one owner, on one side. It closes only those that it was handed. @template {Socket} T */
export class SocketSet {
  /** @type {Map<string, T>} */
  #sockets = new Map();
  /** Those that the other side holds. @type {Map<string, T>} */
  #heldThere = new Map();
  #hasEnded = false;
  /** Whether there is another side that can be asked. */
  isLinked = false;
  /** Whether there is no reply to the last difference yet. */
  isWaiting = false;
  /** Called when there may be a difference. */
  onChange = () => {};

  entries() {
    return [...this.#sockets];
  }

  /** Whether the other side has all that is here, and nothing else, or cannot be asked. */
  get isSettled() {
    return !this.isLinked || (!this.isWaiting && this.#difference === null);
  }

  /** @param {string} name @param {T} socket that listens already */
  add(name, socket) {
    this.#sockets.set(name, socket);
    this.onChange();
  }

  /** @param {string} name */
  remove(name) {
    const socket = this.#sockets.get(name);
    this.#sockets.delete(name);
    this.onChange();
    return socket;
  }

  /** From now on the other side keeps what it holds. */
  end() {
    this.#hasEnded = true;
  }

  /** The other side is another one, which holds none. */
  beginAnew() {
    this.#heldThere.clear();
    this.isLinked = true;
    this.isWaiting = false;
  }

  /** @returns the next one between the two sides, which is sent now; null: there is none */
  nextDifference() {
    const difference = this.#difference;
    if (difference === null) return null;
    const { name, socket } = difference;
    this.isWaiting = true;
    if (socket) this.#heldThere.set(name, socket);
    else this.#heldThere.delete(name);
    return socket ? { message: { hold: name }, socket } : { message: { release: name } };
  }

  get #difference() {
    if (this.#hasEnded) return null;
    for (const [name, socket] of this.#heldThere)
      if (this.#sockets.get(name) !== socket) return { name };
    if (this.#heldThere.size === MAX_HANDLES) return null;
    for (const [name, socket] of this.#sockets)
      if (!this.#heldThere.has(name)) return { name, socket };
    return null;
  }

  /** @param {{hold?: unknown, release?: unknown}} message @param {any} socket @returns {boolean} whether it is a difference */
  accept({ hold, release }, socket) {
    if (typeof release === 'string') {
      const held = this.#sockets.get(release);
      held?.close();
      return this.#sockets.delete(release) && socket === null;
    }
    if (typeof hold !== 'string' || socket === null) return false;
    if (!hold.endsWith(`:${listeningAddress(socket)?.port}`)) return false;
    if (this.#sockets.has(hold) || this.#sockets.size === MAX_HANDLES) return false;
    this.add(hold, socket);
    return true;
  }

  /** @returns all, which the caller closes */
  take() {
    const taken = this.entries();
    this.#sockets.clear();
    return taken;
  }

  /** Closes all. */
  close() {
    for (const [, socket] of this.take()) socket.close();
  }
}

/** Keeps what the other side holds the same as the sets here. */
export class SocketGiver {
  /** By owner. @type {Map<string, SocketSet<any>>} */
  #sets = new Map();
  /** @type {Channel | null} */
  #channel = null;
  /** To whose last difference there is no reply yet. @type {SocketSet<any> | null} */
  #waiting = null;

  /** @param {string} owner @param {SocketSet<any>} set */
  add(owner, set) {
    this.#sets.set(owner, set);
    set.onChange = () => this.#next();
    if (this.#channel) set.beginAnew();
    this.#next();
  }

  /** The other side keeps what it holds of it. @param {string} owner */
  remove(owner) {
    this.#sets.get(owner)?.end();
    this.#sets.delete(owner);
  }

  /** @param {Channel} channel to a side that holds none yet */
  giveTo(channel) {
    this.#channel?.close();
    this.#channel = channel;
    this.#waiting = null;
    for (const set of this.#sets.values()) set.beginAnew();
    channel.on('message', () => {
      if (this.#channel !== channel) return;
      if (this.#waiting) this.#waiting.isWaiting = false;
      this.#waiting = null;
      this.#next();
    });
    channel.once('close', () => {
      if (this.#channel !== channel) return;
      this.#channel = null;
      for (const set of this.#sets.values()) set.isLinked = false;
    });
    this.#next();
  }

  #next() {
    if (this.#channel === null || this.#waiting !== null) return;
    for (const [owner, set] of this.#sets) {
      const difference = set.nextDifference();
      if (difference === null) continue;
      this.#waiting = set;
      this.#channel.send({ owner, ...difference.message }, difference.socket);
      return;
    }
  }
}

/**
 * Keeps sets the same as those of the other side, which gives all that it has again.
 * @param {Channel} channel
 * @param {(owner: unknown) => SocketSet<any> | undefined} setOf undefined: that one has just ended
 * @param {(reason: string) => void} [onFailure] nothing more comes
 */
export function holdFrom(channel, setOf, onFailure = () => {}) {
  channel.on('failed', onFailure);
  channel.on('message', (message, socket) => {
    const set = setOf(message.owner);
    if (set?.accept(message, socket)) return channel.send({});
    socket?.close();
    if (set === undefined) return channel.send({});
    channel.close();
    onFailure(NOT_SOCKETS);
  });
}

/**
 * To a process that has none of them yet. Both have them then.
 * @param {Channel} channel that is closed afterwards
 * @param {ReadonlyMap<string, readonly [name: string, socket: Socket][]>} all by owner
 * @param {number} timeoutMs
 */
export async function giveAll(channel, all, timeoutMs) {
  const giver = new SocketGiver();
  const sets = [...all].map(([owner, sockets]) => {
    const set = new SocketSet();
    for (const socket of sockets) set.add(...socket);
    giver.add(owner, set);
    return set;
  });
  giver.giveTo(channel);
  const areSettled = () => sets.every((set) => set.isSettled);
  await poll(areSettled, { timeoutMs, everyMs: LOOK_MS });
  channel.close();
}
