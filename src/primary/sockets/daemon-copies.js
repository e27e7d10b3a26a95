/**
 * The daemon that started this primary holds a copy of each socket that it listens on: if the
 * primary is killed, connections wait in the kernel's queue until the next one has it. Sockets go to
 * the daemon through the channel that Node gives a child, and come from it as inherited descriptors.
 *
 * Only this file depends on internals for that: it sends a raw handle as node:cluster does, and
 * makes one from a descriptor as `listen({fd})` does. Both are the same on Node 20, 22, 24 and 26; if
 * they were not, or if another daemon runs by now, the daemon holds nothing.
 */
import net from 'node:net';

/** @import { TcpHandle } from './listening-socket.js' */

/**
 * @typedef {object} HeldCopy of a socket of the previous primary
 * @property {string} name the address that it listens on
 * @property {number} fd inherited by this process
 */

/** @param {string} name @param {TcpHandle} handle that already listens */
export function giveCopy(name, handle) {
  send({ hold: name }, handle);
}

/** @param {string} name of a socket that is closed for good */
export function releaseCopy(name) {
  send({ release: name });
}

/** @param {HeldCopy} copy @returns {TcpHandle | null} null: it cannot be used */
export function handleOf({ fd }) {
  const { _createServerHandle: create } =
    /** @type {{_createServerHandle?: (...args: unknown[]) => TcpHandle | number}} */ (
      /** @type {unknown} */ (net)
    );
  const handle = create?.(null, null, null, fd);
  return typeof handle === 'object' ? handle : null;
}

/** @param {object} message @param {TcpHandle} [handle] */
function send(message, handle) {
  if (!process.connected || !process.send) return;
  try {
    // Without a callback, process would emit the error: the daemon may be dying.
    process.send(message, /** @type {any} */ (handle), {}, () => {});
  } catch {
    // This kind of handle cannot be sent.
  }
}
