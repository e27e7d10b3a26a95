/** Judges from the beats of the agents whether the event loops of the workers turn. Times are monotonic. */
import {
  CHECK_INTERVAL_MS,
  describeHang,
  frameText,
  innermostOf,
  judgeDrain,
  judgeSilence,
} from '../../lifecycle/hang-policy.js';

/**
 * @import { Stack } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from './handle.js'
 */

/** @param {() => Iterable<{pulse: Pulse}>} workersNow @returns {() => void} ends it */
export function watchPulses(workersNow) {
  let lastLookMs = performance.now();
  const look = () => {
    const nowMs = performance.now();
    for (const { pulse } of workersNow()) pulse.look(nowMs, nowMs - lastLookMs);
    lastLookMs = nowMs;
  };
  const timer = setInterval(look, CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

export class Pulse {
  /** @type {number | null} */
  blockedSinceMs = null;
  /** Where its event loop is blocked, if somebody has looked. @type {Stack | null} */
  stack = null;
  /** Until when it could not reply, and was not to be blamed for it; Infinity: it cannot now. */
  heldUntilMs = -Infinity;
  /** The last beat, or when beats were first expected. */
  #lastBeatMs = 0;
  /** @type {number | null} */
  #drainingSinceMs = null;
  /** Not while the worker starts or stops: other deadlines apply then. It takes an agent that reports. */
  #isJudged = false;

  /** @param {WorkerHandle} worker */
  constructor(worker) {
    this.worker = worker;
  }

  get isHeld() {
    return this.heldUntilMs === Infinity;
  }

  get canReply() {
    return !this.isHeld && this.blockedSinceMs === null;
  }

  start() {
    if (this.#isJudged) return;
    this.#isJudged = true;
    this.beat();
  }

  startDrain() {
    this.start();
    this.#drainingSinceMs = performance.now();
  }

  beat() {
    this.#lastBeatMs = performance.now();
  }

  end() {
    this.#isJudged = false;
  }

  /** @param {number} nowMs @param {number} sinceCheckMs since the primary last looked */
  look(nowMs, sinceCheckMs) {
    if (!this.#isJudged || !this.worker.agent?.isConnected) return;
    if (this.isHeld) return this.beat();
    const silentMs = nowMs - this.#lastBeatMs;
    const { hangTimeoutMs, killTimeoutMs } = this.worker.launch.spec;
    const silence = { silentMs, sinceCheckMs };
    const verdict =
      this.#drainingSinceMs === null
        ? judgeSilence({ ...silence, hangTimeoutMs })
        : judgeDrain({ ...silence, drainingMs: nowMs - this.#drainingSinceMs, killTimeoutMs });
    if (verdict === 'hung') return this.#endHung(silentMs);
    if (verdict === 'unknown') this.#lastBeatMs = nowMs;
    const isBlocked = verdict === 'unresponsive';
    if (isBlocked === (this.blockedSinceMs !== null)) return;
    const sinceMs = this.blockedSinceMs ?? this.#lastBeatMs;
    this.blockedSinceMs = isBlocked ? sinceMs : null;
    this.stack = null;
    this.worker.notePulse((isBlocked ? nowMs : this.#lastBeatMs) - sinceMs);
  }

  /** @param {number} silentMs */
  #endHung(silentMs) {
    const { worker } = this;
    const { frames = [] } = this.stack ?? {};
    for (const frame of innermostOf(frames)) worker.output.add(`at ${frameText(frame)}`);
    const reason = describeHang(silentMs, frames);
    if (worker.isRetired) {
      worker.end({ signal: 'SIGKILL', reason: `${reason}, killed without a drain` });
    } else {
      worker.end({ signal: 'SIGABRT', reason, how: `was killed, its ${reason}` });
    }
  }

  /** @returns {string | undefined} why the worker cannot drain, and how long it still has */
  describeGrace() {
    if (this.blockedSinceMs === null) return undefined;
    const hang = describeHang(performance.now() - this.blockedSinceMs);
    return `${hang}, killed unless it turns within ${this.worker.launch.spec.killTimeoutMs / 1000} s`;
  }
}
