/**
 * Unix sockets whose file is gone. Most programs unlink their socket's path before they listen, so
 * that a stale file is no obstacle. Of several workers the second thereby removes the file of the
 * first, and since all of them share the primary's one socket, none binds a new one: nobody can
 * reach the app any more. The primary then opens a second door at the path, which leads to the
 * same distributor.
 */
import net from 'node:net';
import { lstatSync } from 'node:fs';

/**
 * @typedef {import('./listening-socket.js').TcpHandle} Handle
 * @typedef {net.Server & {_handle?: Handle}} Door
 */

/** Taken before anybody watches it: a door is none of the app's own sockets. */
const { listen } = net.Server.prototype;

export class UnixDoors {
  /** @type {Map<string, {handle: Handle, doors: Door[]}>} by path */
  #sockets = new Map();

  /**
   * @param {string} path
   * @param {Handle} handle what node:cluster distributes the connections of
   */
  opened(path, handle) {
    const doors = /** @type {Door[]} */ ([]);
    this.#sockets.set(path, { handle, doors });
    const { close } = handle;
    handle.close = (callback) => {
      for (const door of doors) door.close();
      this.#sockets.delete(path);
      Reflect.apply(close, handle, [callback]);
    };
  }

  /** @param {string} path a worker listens there, and may have removed what was there before */
  check(path) {
    const socket = this.#sockets.get(path);
    if (!socket || lstatSync(path, { throwIfNoEntry: false })) return;
    const door = /** @type {Door} */ (net.createServer());
    // A second worker may have been faster, or the folder is gone: then it stays as it is.
    door.on('error', () => {});
    Reflect.apply(listen, door, [
      { path },
      () => {
        const { _handle: own } = door;
        if (own) own.onconnection = (error, client) => socket.handle.onconnection(error, client);
      },
    ]);
    socket.doors.push(door);
  }
}
