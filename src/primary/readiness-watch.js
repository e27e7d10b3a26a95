/** Watches one worker that starts, until it is online or has failed to become so. */
import { judgeReadiness } from '../lifecycle/readiness.js';

/**
 * @typedef {object} Verdicts one of them is called, once
 * @property {() => void} online
 * @property {(reason: string) => void} failed
 */

export class ReadinessWatch {
  #saidReady = false;
  /** When the program was loaded, as far as anybody can tell. @type {number | null} */
  #loadedAtMs = null;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isOver = false;

  /**
   * @param {import('./worker-handle.js').WorkerHandle} worker
   * @param {Verdicts} verdicts
   */
  constructor(worker, verdicts) {
    this.worker = worker;
    this.verdicts = verdicts;
  }

  loaded() {
    this.#loadedAtMs = performance.now();
    this.look();
  }

  saidReady() {
    this.#saidReady = true;
    this.look();
  }

  /** Something is otherwise than before. */
  look() {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    const readiness = judgeReadiness(this.#candidate());
    if (readiness.verdict === 'wait') {
      if (readiness.ms === null) return;
      this.#timer = setTimeout(() => this.look(), readiness.ms + 1);
      return;
    }
    this.end();
    if (readiness.verdict === 'online') this.verdicts.online();
    else this.verdicts.failed(readiness.reason);
  }

  /** @returns {import('../lifecycle/readiness.js').Candidate} */
  #candidate() {
    const { launch, order, listening, uptimeMs } = this.worker;
    const { waitReady, minUptimeMs, listenTimeoutMs } = launch.spec;
    const { expected, replaces } = order;
    return {
      ...{ waitReady, minUptimeMs, listenTimeoutMs, expected, replaces, uptimeMs },
      saidReady: this.#saidReady,
      listening: [...listening],
      loadedMs: this.#loadedAtMs === null ? null : performance.now() - this.#loadedAtMs,
    };
  }

  /** Nothing is to be said of it any more. */
  end() {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
