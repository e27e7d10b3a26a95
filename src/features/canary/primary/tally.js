/** Adds up what workers have answered since a moment, from the reports of their agents. */
import { LATENCY_BOUNDS_MS } from '../../../lifecycle/latency.js';

/**
 * @import { Answers } from '../figures.js'
 * @import { WorkerHandle } from '../../../primary/worker/handle.js'
 *
 * @typedef {object} Counted of one worker
 * @property {Answers} since when it was first seen
 * @property {readonly number[]} latencySince
 * @property {Answers} now
 */

/** @type {Answers} */
const NOTHING = {
  begun: 0,
  requests: 0,
  errors: 0,
  latency: LATENCY_BOUNDS_MS.map(() => 0).concat(0),
};

export class Tally {
  /** Also those that have exited. @type {Map<WorkerHandle, Counted>} */
  #workers = new Map();
  #isNew;

  /** @param {boolean} isNew whether all that the workers have answered since they started counts */
  constructor(isNew) {
    this.#isNew = isNew;
  }

  /** @param {WorkerHandle} worker */
  add(worker) {
    const now = answersIn(worker.agent?.report);
    if (now === null) return;
    const known = this.#workers.get(worker);
    if (known) known.now = now;
    else {
      const since = this.#isNew ? NOTHING : now;
      this.#workers.set(worker, { since, latencySince: since.latency, now });
    }
  }

  /** Latencies count from now on. */
  forgetLatencies() {
    for (const worker of this.#workers.values()) worker.latencySince = worker.now.latency;
  }

  /** @returns {Answers} of all of them */
  get total() {
    const all = [...this.#workers.values()];
    const sum = (/** @type {'begun' | 'requests' | 'errors'} */ key) =>
      all.reduce((total, { now, since }) => total + now[key] - since[key], 0);
    const latency = NOTHING.latency.map((_, index) =>
      all.reduce((total, one) => total + one.now.latency[index] - one.latencySince[index], 0),
    );
    return { begun: sum('begun'), requests: sum('requests'), errors: sum('errors'), latency };
  }
}

/**
 * Programs can forge a report.
 * @param {any} report
 * @returns {Answers | null} null: there is none
 */
function answersIn(report) {
  const counts = report?.latency?.counts;
  if (!Array.isArray(counts) || counts.length !== NOTHING.latency.length) return null;
  const { requests, errors, begun } = report;
  const all = [requests, errors, begun, ...counts];
  if (!all.every((count) => Number.isFinite(count) && count >= 0)) return null;
  return { begun, requests, errors, latency: counts };
}
