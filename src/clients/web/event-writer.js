/** Writes server-sent events to one reader, and never more than it reads. */
/** @import { ServerResponse } from 'node:http' */

/**
 * beatMs: keeps proxies from closing a silent connection, and notices a reader that has vanished;
 * stalledMs: after which a reader that reads nothing is disconnected.
 */
const TIMES = { beatMs: 15_000, stalledMs: 30_000 };

export class EventWriter {
  #response;
  #stalledMs;
  /** @type {NodeJS.Timeout | undefined} */
  #stalled;

  /**
   * @param {ServerResponse} response
   * @param {() => boolean} mayContinue asked now and then: whether the reader is still signed in
   * @param {typeof TIMES} [times]
   */
  constructor(response, mayContinue, { beatMs, stalledMs } = TIMES) {
    this.#response = response;
    this.#stalledMs = stalledMs;
    response.socket?.setTimeout(0);
    const headers = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
    response.writeHead(200, headers).flushHeaders();
    const beat = setInterval(() => {
      if (!mayContinue()) response.end();
      else if (!this.isBehind) response.write(':\n\n');
    }, beatMs);
    response.on('drain', () => clearTimeout(this.#stalled));
    response.once('close', () => {
      clearInterval(beat);
      clearTimeout(this.#stalled);
    });
  }

  /** Whether the reader has not read what was sent before. */
  get isBehind() {
    return this.#response.writableNeedDrain;
  }

  /** @param {string} name @param {string} json */
  send(name, json) {
    if (this.#response.writableEnded) return;
    const { isBehind } = this;
    this.#response.write(`event: ${name}\ndata: ${json}\n\n`);
    if (isBehind || !this.isBehind) return;
    this.#stalled = setTimeout(() => this.#response.destroy(), this.#stalledMs);
  }

  /** @returns {Promise<void>} resolves when the reader has read everything, or is gone */
  async drained() {
    if (!this.isBehind) return;
    await new Promise((resolve) => {
      this.#response.once('drain', resolve);
      this.#response.once('close', resolve);
    });
  }
}
