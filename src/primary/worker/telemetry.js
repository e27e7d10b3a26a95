/**
 * What one worker's agent measures. A request without a reply is not repeated, so nothing piles up
 * in front of a blocked event loop.
 */
/**
 * @import { TelemetryReport } from '../../protocol/shapes.js'
 * @import { AgentLink } from './agent-link.js'
 */

/**
 * @typedef {object} TelemetryOrder
 * @property {number} leaseMs how long it goes on measuring after the last request
 * @property {readonly number[]} boundsMs of the latency histogram
 */

export class WorkerTelemetry {
  /** The latest. @type {TelemetryReport | null} */
  report = null;
  /** @type {AgentLink | null} */
  #agent = null;
  /** @type {Promise<void> | null} */
  #pending = null;
  #resolve = () => {};

  /** @param {AgentLink} agent */
  attach(agent) {
    this.#agent = agent;
  }

  /** @param {TelemetryOrder} order @returns when it has replied; at once where there is no agent */
  async request(order) {
    if (!this.#agent?.isConnected) return;
    if (this.#pending === null) {
      this.#pending = new Promise((resolve) => (this.#resolve = resolve));
      this.#agent.requestTelemetry(order);
    }
    await this.#pending;
  }

  /** @param {TelemetryReport} report */
  receive(report) {
    this.report = report;
    this.#pending = null;
    this.#resolve();
  }

  /** The worker is dead. */
  close() {
    this.#agent = null;
    this.#resolve();
  }
}
