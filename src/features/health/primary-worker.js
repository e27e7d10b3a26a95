/** Checks one worker regularly while it starts and serves. */
import { CHECK_GAP_MS } from '../../lifecycle/hang-policy.js';
import { NEW_HEALTH, afterCheck, nextCheckMs } from './decide.js';
import { runCheck } from './primary-check.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { Checked } from './primary-check.js'
 */

/**
 * @typedef {object} HealthListener
 * @property {() => void} checked a check has ended
 * @property {(type: 'worker.healthy' | 'worker.unhealthy', reason: string | null) => void} turned it has
 *   become unhealthy, or is healthy again
 */

export class WorkerHealth {
  #health = NEW_HEALTH;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isChecking = false;
  /** Checks that began earlier do not count. */
  #heldUntilMs = -Infinity;
  #ending = new AbortController();

  /** @param {Checked & Pick<WorkerHandle, 'uptimeMs'>} worker @param {HealthListener} on */
  constructor(worker, on) {
    this.worker = worker;
    this.on = on;
  }

  /** Null: the app has no `health`. It is read at each use, since settings may change. */
  get rule() {
    return this.worker.launch.spec.health ?? null;
  }

  /** Null: the app has no `health`. */
  get current() {
    return this.rule && this.#health;
  }

  /** What readiness depends on; null: the app has no `health`. */
  get firstCheck() {
    if (this.rule === null) return null;
    const { succeededMs, reason } = this.#health;
    const { startPeriodMs } = this.rule;
    const hasPassed = succeededMs !== null;
    return { what: 'its health check', hasPassed, failure: reason, startPeriodMs };
  }

  get isUnhealthy() {
    return this.current?.status === 'unhealthy';
  }

  /** Begins the checks if they are due. Call it when the worker has started, and after a change. */
  look() {
    if (this.rule === null) this.#forget();
    else if (this.#timer === undefined) this.#checkIn(nextCheckMs(this.#health, this.rule));
  }

  /** A new worker listens: a check may succeed now. */
  listens() {
    if (this.#health.succeededMs === null && this.rule !== null) this.#checkIn(0);
  }

  /** @param {boolean} isHeld whether the worker cannot reply, and is not to be blamed for it */
  hold(isHeld) {
    this.#heldUntilMs = isHeld ? Infinity : performance.now();
  }

  end() {
    clearTimeout(this.#timer);
    this.#ending.abort();
  }

  #forget() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#health = NEW_HEALTH;
  }

  /** @param {number} ms */
  #checkIn(ms) {
    if (this.#ending.signal.aborted || this.#isChecking) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), ms);
  }

  async #check() {
    const { rule } = this;
    if (rule === null) return this.#forget();
    this.#isChecking = true;
    const startedMs = performance.now();
    const { signal: ended } = this.#ending;
    const failure = await runCheck(this.worker, rule, ended);
    this.#isChecking = false;
    if (ended.aborted) return;
    const nowMs = performance.now();
    // The primary itself did not run (SIGSTOP, a frozen machine), so it cannot judge.
    const isLate = nowMs - startedMs >= rule.timeoutMs + CHECK_GAP_MS;
    const isHeld = startedMs <= this.#heldUntilMs;
    if (failure === null || !(isLate || isHeld)) this.#note(failure, nowMs, rule);
    this.#checkIn(nextCheckMs(this.#health, rule));
  }

  /** @param {string | null} failure @param {number} nowMs @param {NonNullable<Spec['health']>} rule */
  #note(failure, nowMs, rule) {
    const { status: before } = this.#health;
    const { uptimeMs } = this.worker;
    this.#health = afterCheck(this.#health, { failure, nowMs, uptimeMs }, rule);
    const { status } = this.#health;
    if (before !== status && (before === 'unhealthy' || status === 'unhealthy')) {
      this.on.turned(status === 'healthy' ? 'worker.healthy' : 'worker.unhealthy', failure);
    }
    this.on.checked();
  }
}
