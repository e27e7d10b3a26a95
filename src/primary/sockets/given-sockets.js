/**
 * The sockets that this primary listens on are given to the daemon, which holds them: if the primary
 * is killed, connections wait in the kernel's queue until the next one has them. They go to the daemon
 * through a channel that it opens, whichever daemon runs, and come from it as inherited descriptors.
 */
import { MAX_HANDLES } from '../../protocol/handle-channel.js';

/**
 * @import { HandleChannel } from '../../protocol/handle-channel.js'
 * @import { Handle } from '../../shared/inherited-socket.js'
 * @import { TcpHandle } from './listening-socket.js'
 */

export class GivenSockets {
  /** The sockets that are open, by name. @type {Map<string, TcpHandle>} */
  #open = new Map();
  /** Those that the daemon holds. @type {Map<string, TcpHandle>} */
  #held = new Map();
  /** @type {HandleChannel | null} */
  #channel = null;
  /** Whether the daemon has not replied to the last message yet. */
  #isWaiting = false;
  #hasEnded = false;

  /** @param {HandleChannel} channel to a daemon, which holds none yet */
  connected(channel) {
    this.#channel?.close();
    this.#channel = channel;
    this.#held.clear();
    this.#isWaiting = false;
    channel.on('message', () => {
      if (this.#channel !== channel) return;
      this.#isWaiting = false;
      this.#update();
    });
    this.#update();
  }

  /** @param {string} name @param {TcpHandle} handle that already listens */
  give(name, handle) {
    this.#open.set(name, handle);
    this.#update();
  }

  /** @param {string} name of a socket that is closed for good */
  release(name) {
    this.#open.delete(name);
    this.#update();
  }

  /** From now on the daemon keeps what it holds, for the next primary. */
  end() {
    this.#hasEnded = true;
    this.#channel?.close();
  }

  /** Sends the next difference between what is open and what the daemon holds. */
  #update() {
    if (!this.#channel || this.#isWaiting || this.#hasEnded) return;
    for (const [name, handle] of this.#held) {
      if (this.#open.get(name) === handle) continue;
      this.#held.delete(name);
      return this.#send({ release: name });
    }
    if (this.#held.size === MAX_HANDLES) return;
    for (const [name, handle] of this.#open) {
      if (this.#held.has(name)) continue;
      this.#held.set(name, handle);
      return this.#send({ hold: name }, handle);
    }
  }

  /** @param {object} message @param {TcpHandle} [handle] */
  #send(message, handle) {
    this.#isWaiting = true;
    this.#channel?.send(message, /** @type {Handle | undefined} */ (handle));
  }
}

/**
 * Sockets that another primary listens on and serves: this one does not listen on them yet, and since
 * they listen already, that cannot fail later.
 */
export class PostponedSockets {
  /** What makes each listen, if it was asked to. @type {Map<TcpHandle, () => void>} */
  #handles = new Map();

  /** @param {TcpHandle} handle that seems to listen as soon as it is asked to */
  add(handle) {
    const { listen } = handle;
    /** @type {number | null} */
    let requestedBacklog = null;
    handle.listen = (backlog) => {
      requestedBacklog = backlog;
      return 0;
    };
    this.#handles.set(handle, () => {
      handle.listen = listen;
      if (requestedBacklog !== null) handle.listen?.(requestedBacklog);
    });
  }

  /** @param {TcpHandle} handle */
  has(handle) {
    return this.#handles.has(handle);
  }

  /** The other primary stops. */
  listen() {
    for (const listen of this.#handles.values()) listen();
    this.#handles.clear();
  }
}
