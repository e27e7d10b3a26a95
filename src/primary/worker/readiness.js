/** Watches one worker that starts, until it is online or has failed to become so. */
import { GAP_MS } from '../../lifecycle/hang-policy.js';
import { judgeReadiness } from '../../lifecycle/readiness.js';

/**
 * @import { Candidate } from '../../lifecycle/readiness.js'
 * @import { WorkerHandle } from './worker-handle.js'
 */

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
  #lookedMs = performance.now();
  /** In which the primary itself did not run (stopped, or a frozen machine), and maybe nobody. */
  #standstillMs = 0;
  /** What the worker should have done by now. @type {string | null} */
  late = null;

  /**
   * @param {WorkerHandle} worker
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
    this.#lookedMs = performance.now();
    const readiness = judgeReadiness(this.#candidate());
    if (readiness.verdict === 'wait') return this.#wait(readiness);
    this.end();
    if (readiness.verdict === 'online') this.verdicts.online();
    else this.verdicts.failed(readiness.reason);
  }

  /** @param {{ms: number | null, late?: string}} readiness */
  #wait({ ms, late }) {
    const isNews = late !== undefined && late !== this.late;
    this.late = late ?? null;
    if (isNews) this.worker.emit('change');
    if (ms === null) return;
    const dueMs = performance.now() + ms;
    this.#timer = setTimeout(() => {
      // What it has said meanwhile is still to be read.
      const nowMs = performance.now();
      if (nowMs - dueMs >= GAP_MS) this.#standstillMs += nowMs - this.#lookedMs;
      this.look();
    }, ms + 1);
  }

  /** @returns {Candidate} */
  #candidate() {
    const { launch, order, listening } = this.worker;
    const uptimeMs = this.worker.uptimeMs - this.#standstillMs;
    const { waitReady, minUptimeMs } = launch.spec;
    const { listenTimeoutMs, holdTimeoutMs, hangTimeoutMs } = launch.spec;
    const { expected, replaces } = order;
    return {
      ...{ waitReady, minUptimeMs, listenTimeoutMs, holdTimeoutMs, hangTimeoutMs },
      ...{ expected, replaces, uptimeMs },
      saidReady: this.#saidReady,
      listening: [...listening],
      loadedMs: this.#loadedAtMs === null ? null : performance.now() - this.#loadedAtMs,
    };
  }

  /** Nothing is to be said of it any more. */
  end() {
    this.#isOver = true;
    this.late = null;
    clearTimeout(this.#timer);
  }
}
