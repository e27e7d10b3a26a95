/**
 * Whether the event loops of the workers turn, as the beats of their agents show. Times are
 * monotonic.
 */
import {
  HEARTBEAT_INTERVAL_MS,
  CHECK_INTERVAL_MS,
  describeHang,
  judgeDrain,
  judgeSilence,
} from '../../lifecycle/hang-policy.js';

/**
 * @import { Launch } from '../pool/launch.js'
 * @import { AgentLink } from './agent-link.js'
 */

/**
 * @typedef {object} PulseListener
 * @property {() => void} changed its event loop is blocked, or turns again
 * @property {(silentMs: number) => void} hung it is to be ended for that
 */

/** @param {() => Iterable<{pulse: Pulse}>} workersNow */
export function watchPulses(workersNow) {
  let lastLookMs = performance.now();
  const look = () => {
    const nowMs = performance.now();
    for (const { pulse } of workersNow()) pulse.look(nowMs, nowMs - lastLookMs);
    lastLookMs = nowMs;
  };
  setInterval(look, CHECK_INTERVAL_MS).unref();
}

/** Of one worker. */
export class Pulse {
  /** @type {number | null} */
  blockedSinceMs = null;
  /** Or since when one is expected. */
  #lastBeatMs = 0;
  /** @type {number | null} */
  #drainingSinceMs = null;
  /** Whose silence is judged; while a worker starts or stops, other deadlines apply. @type {AgentLink | null} */
  #agent = null;

  /**
   * @param {Launch} launch its settings may change while the worker lives
   * @param {PulseListener} on
   */
  constructor(launch, on) {
    this.launch = launch;
    this.on = on;
  }

  /** @param {AgentLink} agent */
  start(agent) {
    if (this.#agent) return;
    this.#agent = agent;
    this.beat();
    agent.requestBeats(HEARTBEAT_INTERVAL_MS);
  }

  /** @param {AgentLink} agent */
  startDrain(agent) {
    this.start(agent);
    this.#drainingSinceMs = performance.now();
  }

  beat() {
    this.#lastBeatMs = performance.now();
  }

  end() {
    this.#agent = null;
  }

  /** @param {number} nowMs @param {number} sinceCheckMs how long ago the primary looked last */
  look(nowMs, sinceCheckMs) {
    if (!this.#agent?.isConnected) return;
    const silentMs = nowMs - this.#lastBeatMs;
    const verdict = this.#judge(nowMs, { silentMs, sinceCheckMs });
    if (verdict === 'hung') return this.on.hung(silentMs);
    if (verdict === 'unknown') this.#lastBeatMs = nowMs;
    const isBlocked = verdict === 'unresponsive';
    if (isBlocked === (this.blockedSinceMs !== null)) return;
    this.blockedSinceMs = isBlocked ? this.#lastBeatMs : null;
    this.on.changed();
  }

  /** @returns {string | undefined} what keeps the worker from draining, and for how long it may */
  describeGrace() {
    if (this.blockedSinceMs === null) return undefined;
    const hang = describeHang(performance.now() - this.blockedSinceMs);
    return `${hang}, killed unless it turns within ${this.launch.spec.killTimeoutMs / 1000} s`;
  }

  /** @param {number} nowMs @param {{silentMs: number, sinceCheckMs: number}} silence */
  #judge(nowMs, silence) {
    const { hangTimeoutMs, killTimeoutMs } = this.launch.spec;
    if (this.#drainingSinceMs === null) return judgeSilence({ ...silence, hangTimeoutMs });
    return judgeDrain({ ...silence, drainingMs: nowMs - this.#drainingSinceMs, killTimeoutMs });
  }
}
