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
  /** The other side keeps what it holds. */
  hasEnded = false;
  /** Called when there may be a difference. */
  onChange = () => {};
  /** Whether the other side has all that is here, and nothing else, or cannot be asked. */
  isSettled = () => true;

  entries() {
    return [...this.#sockets];
  }

  /** @param {string} name */
  get(name) {
    return this.#sockets.get(name);
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

  /** @param {{hold?: unknown, release?: unknown}} message @param {any} socket @returns {boolean} whether it is a difference */
  accept({ hold, release }, socket) {
    if (typeof release === 'string') {
      const held = this.remove(release);
      held?.close();
      return held !== undefined && socket === null;
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

/** held: what the other side has of it. @typedef {{set: SocketSet<any>, held: Map<string, Socket>}} Given */

/** Keeps what the other side holds the same as the sets here. */
export class SocketGiver {
  /** By owner. @type {Map<string, Given>} */
  #given = new Map();
  /** @type {Channel | null} */
  #channel = null;
  /** To whose last difference there is no reply yet. @type {Given | null} */
  #waiting = null;

  /** @param {string} owner @param {SocketSet<any>} set */
  add(owner, set) {
    const given = { set, held: new Map() };
    this.#given.set(owner, given);
    set.onChange = () => this.#next();
    set.isSettled = () =>
      this.#channel === null || (this.#waiting !== given && differenceOf(given) === null);
    this.#next();
  }

  /** The other side keeps what it holds of it. @param {string} owner */
  remove(owner) {
    this.#given.delete(owner);
  }

  /** @param {Channel} channel to a side that holds none yet */
  giveTo(channel) {
    this.#channel?.close();
    this.#channel = channel;
    this.#waiting = null;
    for (const { held } of this.#given.values()) held.clear();
    channel.on('message', () => {
      if (this.#channel !== channel) return;
      this.#waiting = null;
      this.#next();
    });
    channel.once('close', () => {
      if (this.#channel === channel) this.#channel = null;
    });
    this.#next();
  }

  #next() {
    if (this.#channel === null || this.#waiting !== null) return;
    for (const [owner, given] of this.#given) {
      const difference = differenceOf(given);
      if (difference === null) continue;
      const { name, socket } = difference;
      this.#waiting = given;
      if (socket) given.held.set(name, socket);
      else given.held.delete(name);
      return this.#channel.send({ owner, [socket ? 'hold' : 'release']: name }, socket);
    }
  }
}

/** @param {Given} given @returns {{name: string, socket?: any} | null} the next one between the two sides */
function differenceOf({ set, held }) {
  if (set.hasEnded) return null;
  for (const [name, socket] of held) if (set.get(name) !== socket) return { name };
  if (held.size === MAX_HANDLES) return null;
  for (const [name, socket] of set.entries()) if (!held.has(name)) return { name, socket };
  return null;
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
 * @param {(readonly [owner: string, set: SocketSet<any>])[]} all
 * @param {number} timeoutMs
 */
export async function giveAll(channel, all, timeoutMs) {
  const giver = new SocketGiver();
  for (const each of all) giver.add(...each);
  giver.giveTo(channel);
  const areSettled = () => all.every(([, set]) => set.isSettled());
  await poll(areSettled, { timeoutMs, everyMs: LOOK_MS });
  channel.close();
}
