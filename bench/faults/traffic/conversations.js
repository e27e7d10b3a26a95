/** Conversations over raw TCP and over upgraded HTTP connections (as WebSocket uses them). */
import { once } from 'node:events';
import net from 'node:net';

/** @import { Client } from './clients.js' */

const UPGRADE = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';

/**
 * Each request is its own conversation: one word and its echo.
 * @param {number} port
 * @param {{upgrade: boolean}} options
 * @returns {Client}
 */
export function shortTalks(port, { upgrade }) {
  return {
    close: () => {},
    requests: [
      async (id) => {
        const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
        let received = upgrade ? '' : '\r\n\r\n';
        socket.on('data', (text) => {
          if (!received.includes('\r\n\r\n') && `${received}${text}`.endsWith('\r\n\r\n')) {
            socket.write(`${id}\n`);
          }
          received += text;
          if (received.endsWith('\n') && received.includes(id)) socket.end();
        });
        socket.write(upgrade ? UPGRADE : `${id}\n`);
        await once(socket, 'close');
        if (!received.endsWith(` ${id}\n`)) throw new Error(`received ${JSON.stringify(received)}`);
      },
    ],
  };
}

/** Conversations that their clients never end; each is reopened when it was closed. */
export class LongTalks {
  cut = 0;
  /** Conversations that ended before drain_timeout had passed. */
  early = 0;
  /** Start of the last reload. */
  begunMs = -Infinity;
  #stopping = false;
  /** @type {Set<net.Socket>} */
  #open = new Set();

  /** @param {number} port @param {{clients: number, drainTimeoutMs: number}} options */
  constructor(port, { clients, drainTimeoutMs }) {
    this.loops = Array.from({ length: clients }, () => this.#loop(port, drainTimeoutMs));
  }

  /** @param {number} port @param {number} drainTimeoutMs */
  async #loop(port, drainTimeoutMs) {
    while (!this.#stopping) {
      const socket = net.connect(port, '127.0.0.1');
      this.#open.add(socket);
      let upgraded = false;
      socket.on('data', () => (upgraded = true)).on('error', () => {});
      socket.write(UPGRADE);
      await new Promise((resolve) => socket.once('close', resolve));
      this.#open.delete(socket);
      if (this.#stopping) return;
      if (upgraded) this.cut++;
      if (upgraded && performance.now() - this.begunMs < drainTimeoutMs) this.early++;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async stop() {
    this.#stopping = true;
    for (const socket of this.#open) socket.destroy();
    await Promise.all(this.loops);
  }
}
