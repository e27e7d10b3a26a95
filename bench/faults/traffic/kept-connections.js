/** Connections that are opened at once and stay open, and the worker behind each. */
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { clientAddress } from '../../../test/support/http-load.js';

export class KeptConnection {
  pid = 0;
  #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  /** @param {number} port @param {number} index each has an address of its own, for `sticky` */
  constructor(port, index) {
    this.port = port;
    this.localAddress = clientAddress(index);
  }

  /** @param {string} [path] @returns {Promise<void>} when it is answered */
  async ask(path = '/') {
    const { port, localAddress } = this;
    const options = { port, path, localAddress, host: '127.0.0.1', agent: this.#agent };
    const body = await new Promise((resolve, reject) => {
      http.get(options, (response) => resolve(json(response))).on('error', reject);
    });
    this.pid = body.pid;
  }

  close() {
    this.#agent.destroy();
  }
}

/** @param {number} port @param {number} count @returns {Promise<KeptConnection[]>} all answered once */
export async function openAtOnce(port, count) {
  const all = Array.from({ length: count }, (_, index) => new KeptConnection(port, index));
  await Promise.all(all.map((one) => one.ask()));
  return all;
}
