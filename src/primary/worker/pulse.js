/** The event loop of one worker, as the beats of its agent tell. Times are monotonic. */
import { BEAT_EVERY_MS, describeHang } from '../../lifecycle/hang-policy.js';

/**
 * @import { Launch } from '../pool/generation.js'
 * @import { AgentLink } from './agent-link.js'
 */

export class Pulse {
  /** Or since when a beat is waited for. */
  lastBeatMs = 0;
  /** @type {number | null} */
  blockedSinceMs = null;
  #isBeating = false;

  /** @param {Launch} launch its settings may change while the worker lives */
  constructor(launch) {
    this.launch = launch;
  }

  /** @param {AgentLink} agent */
  begin(agent) {
    if (this.#isBeating) return;
    this.#isBeating = true;
    this.beat();
    agent.wantBeats(BEAT_EVERY_MS);
  }

  beat() {
    this.lastBeatMs = performance.now();
  }

  /** @returns {string | undefined} what keeps the worker from draining, and for how long it may */
  describeGrace() {
    if (this.blockedSinceMs === null) return undefined;
    const hang = describeHang(performance.now() - this.blockedSinceMs);
    return `${hang}, killed unless it turns within ${this.launch.spec.killTimeoutMs / 1000} s`;
  }
}
