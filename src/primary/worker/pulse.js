/** Judges from the beats of the agents whether the event loops of the workers turn. Times are monotonic. */
import {
  CHECK_INTERVAL_MS,
  HEARTBEAT_INTERVAL_MS,
  QUIET_INTERVAL_MS,
  frameText,
  innermostOf,
  judgeDrain,
  judgeSilence,
  mainFrame,
} from '../../lifecycle/hang-policy.js';
import { untilMoment } from '../../shared/monotonic.js';

/**
 * @import { Reason, Stack } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from './handle.js'
 */

/** Those that are judged, of all apps of the process: it wakes up once for all. @type {Set<Pulse>} */
const judged = new Set();
/** @type {NodeJS.Timeout | undefined} */
let timer;
let lastLookMs = 0;

/** @param {number} nowMs */
export function lookAtAll(nowMs) {
  for (const pulse of judged) pulse.look(nowMs, nowMs - lastLookMs);
  lastLookMs = nowMs;
}

function lookLater() {
  const look = () => {
    lookLater();
    lookAtAll(performance.now());
  };
  timer = setTimeout(look, untilMoment(CHECK_INTERVAL_MS)).unref();
}

export class Pulse {
  /** @type {number | null} */
  blockedSinceMs = null;
  /** Where its event loop is blocked, if somebody has looked. @type {Stack | null} */
  stack = null;
  /** Until when it could not reply, and was not to be blamed for it; Infinity: it cannot now. */
  heldUntilMs = -Infinity;
  /** The last beat, or when beats were first expected; later, if the next one is to come later. */
  #lastBeatMs = 0;
  /** @type {number | null} */
  #drainingSinceMs = null;

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

  /** While it starts or stops, other deadlines apply. */
  start() {
    if (judged.has(this)) return;
    if (judged.size === 0) {
      lastLookMs = performance.now();
      lookLater();
    }
    judged.add(this);
    this.#forgive(performance.now());
  }

  /** Silence counts from then on, or from when a quiet worker is to beat again. @param {number} nowMs */
  #forgive(nowMs) {
    this.#lastBeatMs = Math.max(this.#lastBeatMs, nowMs);
  }

  startDrain() {
    this.start();
    const nowMs = performance.now();
    this.#drainingSinceMs = nowMs;
    // Its agent now beats at once.
    this.#lastBeatMs = Math.min(this.#lastBeatMs, nowMs);
  }

  /** @param {unknown} [nextMs] until the next one comes, as the worker says */
  beat(nextMs) {
    const isQuiet = nextMs === QUIET_INTERVAL_MS;
    const longerMs = isQuiet ? QUIET_INTERVAL_MS - HEARTBEAT_INTERVAL_MS : 0;
    this.#lastBeatMs = performance.now() + longerMs;
  }

  end() {
    judged.delete(this);
    if (judged.size === 0) clearTimeout(timer);
  }

  /** @param {number} nowMs @param {number} sinceCheckMs since the primary last looked */
  look(nowMs, sinceCheckMs) {
    if (!this.worker.agent?.isConnected) return;
    if (this.isHeld) return this.#forgive(nowMs);
    const silentMs = nowMs - this.#lastBeatMs;
    const { hangTimeoutMs, killTimeoutMs } = this.worker.launch.spec;
    const silence = { silentMs, sinceCheckMs };
    const verdict =
      this.#drainingSinceMs === null
        ? judgeSilence({ ...silence, hangTimeoutMs })
        : judgeDrain({ ...silence, drainingMs: nowMs - this.#drainingSinceMs, killTimeoutMs });
    if (verdict === 'hung') return this.#endHung(silentMs);
    if (verdict === 'unknown') this.#forgive(nowMs);
    const isBlocked = verdict === 'blocked';
    if (isBlocked === (this.blockedSinceMs !== null)) return;
    const sinceMs = this.blockedSinceMs ?? this.#lastBeatMs;
    this.blockedSinceMs = isBlocked ? sinceMs : null;
    this.stack = null;
    this.worker.notePulse((isBlocked ? nowMs : Math.min(this.#lastBeatMs, nowMs)) - sinceMs);
  }

  /** @param {number} silentMs */
  #endHung(silentMs) {
    const { worker } = this;
    const { frames = [] } = this.stack ?? {};
    for (const frame of innermostOf(frames)) worker.output.add(`at ${frameText(frame)}`);
    const hang = /** @type {const} */ ({ kind: 'hang', ms: silentMs, frame: mainFrame(frames) });
    if (worker.isRetired) worker.end({ signal: 'SIGKILL', reason: { ...hang, graceMs: 0 } });
    else worker.end({ signal: 'SIGABRT', reason: hang });
  }

  /** Why the worker cannot drain, and how long it still has. @returns {Reason | undefined} */
  get grace() {
    if (this.blockedSinceMs === null) return undefined;
    const ms = performance.now() - this.blockedSinceMs;
    return { kind: 'hang', ms, graceMs: this.worker.launch.spec.killTimeoutMs };
  }
}
