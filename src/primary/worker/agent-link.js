/** The primary's side of the agent in one worker. */
/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Spec } from '../../config/spec.js'
 * @import { TelemetryReport } from '../../protocol/shapes.js'
 */

const CMD = 'NODE_NODECLUSTER';
/** How much later than its own deadline an agent may answer; its event loop may be busy. In ms. */
const GRACE_MS = 1000;

/**
 * @typedef {Exclude<keyof AgentNews, 'telemetry'>} Told
 *
 * @typedef {object} AgentNews what the agent tells without being asked
 * @property {() => void} loaded the program has run through
 * @property {(name: string) => void} listening
 * @property {(name: string) => void} closed
 * @property {() => void} beat its event loop turns
 * @property {(report: TelemetryReport) => void} telemetry what it measures, when it was asked
 */

/**
 * @param {ChildProcess} child may accept from now on
 * @param {string} key of the address, as node:cluster names it
 */
export function letServe(child, key) {
  // A channel that breaks meanwhile is noticed by others.
  if (child.connected) child.send({ cmd: CMD, type: 'serve', key }, () => {});
}

export class AgentLink {
  /** @type {Map<string, (message: Record<string, any>) => void>} */
  #waiting = new Map();

  /**
   * @param {ChildProcess} child
   * @param {AgentNews} news
   */
  constructor(child, news) {
    this.child = child;
    child.on('internalMessage', (message) => {
      if (message?.cmd !== CMD) return;
      const { type, name, report } = message;
      if (type === 'telemetry') news.telemetry(report);
      else if (Object.hasOwn(news, type)) news[/** @type {Told} */ (type)](String(name));
      else this.#waiting.get(type)?.(message);
    });
  }

  /** A program may close the channel; nothing is known of its event loop then. */
  get isConnected() {
    return this.child.connected;
  }

  /** @param {number} everyMs how often it shall send a beat from now on */
  wantBeats(everyMs) {
    this.#send('beat', { everyMs });
  }

  /** @param {{leaseMs: number, boundsMs: readonly number[]}} order answered as news */
  askTelemetry(order) {
    this.#send('telemetry', order);
  }

  /**
   * What it shall do should this primary be killed: nobody can tell it then.
   * @param {Spec} spec
   */
  orderOutliving({ drainTimeoutMs, killTimeoutMs, killSignal, shutdownWithMessage }) {
    const signal = shutdownWithMessage ? null : killSignal;
    this.#send('outlive', { end: { drainTimeoutMs, killTimeoutMs, signal } });
  }

  /**
   * The handshake at the end matters: the channel is ordered, so when the agent has answered
   * 'settle', every connection that round-robin had sent it before has been refused by it and
   * handed to another worker.
   * @param {object} order
   * @param {number} order.timeoutMs
   * @param {'keep' | 'close'} order.idle what to do about connections without a request
   * @param {NodeJS.Signals | null} order.signal what will end the worker afterwards, if a signal
   * @returns {Promise<number>} connections that were still open at the end; never rejects
   */
  async drain({ timeoutMs, idle, signal }) {
    const drained = this.#next('drained', timeoutMs + GRACE_MS);
    this.#send('drain', { timeoutMs, idle });
    const answer = await drained;
    if (answer === null) return 0;
    const settled = this.#next('settled', GRACE_MS);
    this.#send('settle', { signal });
    await settled;
    return Number(answer.open) || 0;
  }

  /** The worker is dead: nothing more will come. */
  gone() {
    for (const answer of this.#waiting.values()) answer({});
  }

  /**
   * @param {string} type
   * @param {number} withinMs
   * @returns {Promise<Record<string, any> | null>} null when it does not come in time
   */
  #next(type, withinMs) {
    return new Promise((resolve) => {
      const end = (/** @type {Record<string, any> | null} */ answer) => {
        clearTimeout(timer);
        this.#waiting.delete(type);
        resolve(answer);
      };
      const timer = setTimeout(() => end(null), withinMs);
      this.#waiting.set(type, end);
    });
  }

  /**
   * @param {string} type
   * @param {object} [data]
   */
  #send(type, data = {}) {
    if (!this.child.connected) return this.gone();
    this.child.send({ cmd: CMD, type, ...data }, (error) => error && this.gone());
  }
}
