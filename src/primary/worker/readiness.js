/** Watches one worker that starts, until it is online or has failed to become so. */
import { CHECK_GAP_MS } from '../../lifecycle/hang-policy.js';
import { judgeReadiness } from '../../lifecycle/readiness.js';

/**
 * @import { Candidate } from '../../lifecycle/readiness.js'
 * @import { WorkerHandle } from './handle.js'
 */

/**
 * @typedef {object} ReadinessListener
 * @property {() => void} late `late` has changed
 * @property {() => void} online the end of the watch
 * @property {(reason: string) => void} failed likewise
 */

export class ReadinessWatch {
  /** What the worker should have done by now. @type {string | null} */
  late = null;
  #saidReady = false;
  /** @type {number | null} */
  #loadedAtMs = null;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isOver = false;
  #lookedMs = performance.now();
  /** How long the primary itself did not run (stopped, a frozen machine), and maybe the worker. */
  #standstillMs = 0;

  /**
   * @param {Pick<WorkerHandle, 'launch' | 'expected' | 'replaces' | 'listening' | 'uptimeMs'>} worker
   * @param {ReadinessListener} on
   */
  constructor(worker, on) {
    this.worker = worker;
    this.on = on;
  }

  loaded() {
    this.#loadedAtMs = performance.now();
    this.look();
  }

  saidReady() {
    this.#saidReady = true;
    this.look();
  }

  /** Judges anew; to be called after every change. */
  look() {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#lookedMs = performance.now();
    const readiness = judgeReadiness(this.#candidate());
    if (readiness.verdict === 'wait') return this.#wait(readiness);
    this.end();
    if (readiness.verdict === 'online') this.on.online();
    else this.on.failed(readiness.reason);
  }

  end() {
    this.#isOver = true;
    this.late = null;
    clearTimeout(this.#timer);
  }

  /** @param {{ms: number | null, late?: string}} readiness */
  #wait({ ms, late }) {
    const isNew = late !== undefined && late !== this.late;
    this.late = late ?? null;
    if (isNew) this.on.late();
    if (ms === null) return;
    const dueMs = performance.now() + ms;
    this.#timer = setTimeout(() => {
      // After a standstill the worker's messages of that time are still to be read.
      const nowMs = performance.now();
      if (nowMs - dueMs >= CHECK_GAP_MS) this.#standstillMs += nowMs - this.#lookedMs;
      this.look();
    }, ms + 1);
  }

  /** @returns {Candidate} */
  #candidate() {
    const { launch, expected, replaces, listening, uptimeMs } = this.worker;
    return {
      ...launch.spec,
      expected,
      replaces,
      uptimeMs: uptimeMs - this.#standstillMs,
      saidReady: this.#saidReady,
      listening: [...listening],
      loadedMs: this.#loadedAtMs === null ? null : performance.now() - this.#loadedAtMs,
    };
  }
}
