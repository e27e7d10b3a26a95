/**
 * Requests at a steady rate, whether earlier ones are answered or not: a supervisor that is slow to
 * recover gets no fewer of them.
 */
import http from 'node:http';

/** Connections that are kept, when requests do not have one each. */
const KEPT = 10;

/**
 * @typedef {object} SteadyOptions
 * @property {number} port
 * @property {number} gapMs between two requests
 * @property {boolean} keepAlive false: a connection for each request
 * @property {number} timeoutMs a request without an answer by then is lost
 */

export class SteadyTraffic {
  /** @type {Promise<number>[]} milliseconds to each answer; NaN: lost */
  #asked = [];
  #lastGoodMs = performance.now();
  /** The longest time without an answer to any request, in milliseconds. */
  longestGapMs = 0;

  /** @param {SteadyOptions} options */
  constructor(options) {
    this.options = options;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: KEPT });
    const begunMs = performance.now();
    // A timer that fires late makes up for it: the number of requests is that of the time.
    this.timer = setInterval(() => {
      while (performance.now() - begunMs > this.#asked.length * options.gapMs) this.#askOnce();
    }, options.gapMs);
  }

  #askOnce() {
    this.#asked.push(
      this.#timeToAnswer().then((ms) => {
        if (!Number.isNaN(ms)) this.#noteAnswer();
        return ms;
      }),
    );
  }

  #noteAnswer() {
    const nowMs = performance.now();
    this.longestGapMs = Math.max(this.longestGapMs, nowMs - this.#lastGoodMs);
    this.#lastGoodMs = nowMs;
  }

  /** @returns {Promise<number[]>} milliseconds to the answer of each request; NaN: it was lost */
  async stop() {
    clearInterval(this.timer);
    const endedMs = performance.now();
    const times = await Promise.all(this.#asked);
    this.agent.destroy();
    this.longestGapMs = Math.max(this.longestGapMs, endedMs - this.#lastGoodMs);
    return times;
  }

  /** @returns {Promise<number>} */
  #timeToAnswer() {
    const { port, keepAlive, timeoutMs } = this.options;
    const agent = keepAlive ? this.agent : /** @type {const} */ (false);
    const to = { port, host: '127.0.0.1', agent };
    const begunMs = performance.now();
    return new Promise((resolve) => {
      const lose = () => {
        clearTimeout(timer);
        resolve(NaN);
      };
      const asked = http.get(to, (response) => {
        response.on('error', lose);
        response.resume().on('end', () => {
          if (response.statusCode !== 200) return lose();
          clearTimeout(timer);
          resolve(performance.now() - begunMs);
        });
      });
      asked.on('error', lose);
      const timer = setTimeout(() => asked.destroy(new Error('no answer')), timeoutMs);
    });
  }
}
