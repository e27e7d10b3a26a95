/** Why connections at an address are not spread by the kernel, though slots can have their own sockets. */
import { SlotSockets } from './slot-sockets.js';

/**
 * @param {Iterable<object>} sockets of the app
 * @param {{has: (socket: SlotSockets) => boolean}} lasting those that this primary did not open
 * @returns {string | null} null: each slot has its own
 */
export function plainSocketNote(sockets, lasting) {
  for (const socket of sockets) {
    if (!(socket instanceof SlotSockets) || socket.isGroup) continue;
    const reason = lasting.has(socket)
      ? 'its socket was not opened by the app'
      : 'its socket was opened with another scheduling; to open it again, stop and start the app';
    return `scheduling is fair at ${socket.name}, because ${reason}`;
  }
  return null;
}
