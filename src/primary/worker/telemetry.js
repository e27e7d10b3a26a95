/**
 * What one worker's agent measures. A question that it has not answered is not asked again, so
 * nothing piles up before a blocked event loop.
 */
/**
 * @import { TelemetryReport } from '../../protocol/shapes.js'
 * @import { AgentLink } from './agent-link.js'
 */

export class WorkerTelemetry {
  /** The last that came. @type {TelemetryReport | null} */
  report = null;
  /** @type {AgentLink | null} */
  #agent = null;
  /** @type {{answered: Promise<void>, resolve: () => void} | null} */
  #question = null;

  /** @param {AgentLink} agent */
  attach(agent) {
    this.#agent = agent;
  }

  /**
   * @param {{leaseMs: number, boundsMs: readonly number[]}} order
   * @returns {Promise<void>} when it has answered; at once where there is no agent
   */
  async ask(order) {
    if (!this.#agent?.isConnected) return;
    if (this.#question === null) {
      let resolve = () => {};
      const answered = new Promise((/** @type {(nothing?: any) => void} */ done) => {
        resolve = done;
      });
      this.#question = { answered, resolve };
      this.#agent.askTelemetry(order);
    }
    await this.#question.answered;
  }

  /** @param {TelemetryReport} report */
  received(report) {
    this.report = report;
    this.#question?.resolve();
    this.#question = null;
  }

  /** The worker is dead. */
  gone() {
    this.#agent = null;
    this.#question?.resolve();
  }
}
