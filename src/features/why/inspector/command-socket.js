/**
 * The unix socket to which the command connects that wants a profile. What goes over it: a line of JSON,
 * `{"bytes": N}` and then N bytes of the profile, again and again; at last `{"done": …}` or `{"error": …}`.
 */
import { once } from 'node:events';
import net from 'node:net';
import { withShortPath } from '../../../protocol/socket-path.js';

/** @import { Socket } from 'node:net' */

/**
 * @param {string} path that does not exist yet
 * @returns {Promise<() => Promise<CommandSocket>>} listens; then waits for the command
 */
export async function listenForCommand(path) {
  const server = net.createServer({ allowHalfOpen: true });
  const connected = once(server, 'connection');
  withShortPath(path, (reachable) => server.listen(reachable));
  await once(server, 'listening');
  return async () => {
    const [socket] = await connected;
    server.close();
    return new CommandSocket(socket);
  };
}

export class CommandSocket {
  /** The command wants what there is so far, or has exited. @type {Promise<void>} */
  stopped;
  /** The command has exited. @type {Promise<void>} */
  lost;
  #socket;

  /** @param {Socket} socket */
  constructor(socket) {
    this.#socket = socket.on('error', () => {}).resume();
    this.lost = new Promise((resolve) => socket.once('close', () => resolve()));
    const ended = new Promise((resolve) => socket.once('end', () => resolve(undefined)));
    this.stopped = Promise.race([ended, this.lost]);
  }

  /** @param {string} text of the profile @returns {Promise<void>} when it may have more */
  async write(text) {
    const bytes = Buffer.from(text);
    this.#socket.write(`${JSON.stringify({ bytes: bytes.length })}\n`);
    if (this.#socket.write(bytes)) return;
    await Promise.race([once(this.#socket, 'drain').catch(() => {}), this.lost]);
  }

  /** @param {{done: object} | {error: string}} outcome @returns {Promise<void>} when it is sent */
  async end(outcome) {
    this.#socket.end(`${JSON.stringify(outcome)}\n`);
    await this.lost;
  }
}
