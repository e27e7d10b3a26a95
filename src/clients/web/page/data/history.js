/** Past figures of apps and workers, one for each second in which the page was open. */

/** @import { Figures, History as Received, Sample } from '../../shapes.js' */

/** Where each figure is in a sample. */
export const FIGURE = Object.freeze({
  cpu: 0,
  memory: 1,
  elu: 2,
  loopP50: 3,
  loopP99: 4,
  heapUsed: 5,
  connections: 6,
  requests: 7,
  errors: 8,
  latencyP50: 9,
  latencyP99: 10,
  online: 11,
});

/** @typedef {keyof typeof FIGURE} FigureName */

export class History {
  /** @type {number[]} epoch ms */
  times = [];
  #limit;
  /** @type {Map<string, (Figures | null)[]>} as many as there are times */
  #apps = new Map();
  /** @type {Map<string, (Figures | null)[]>} by worker id */
  #workers = new Map();

  /** @param {number} limit number of samples @param {Received} [received] */
  constructor(limit, received) {
    this.#limit = limit;
    if (received === undefined) return;
    this.times = received.times.slice(-limit);
    this.#apps = entriesOf(received.apps, limit);
    this.#workers = entriesOf(received.workers, limit);
  }

  /**
   * @param {Sample} sample
   * @param {string} [only] the name of the app that this is the history of
   * @param {ReadonlySet<string>} [workersOfApp] ids of its workers
   */
  add({ at, apps, workers }, only, workersOfApp) {
    if (at <= (this.times.at(-1) ?? 0)) return;
    const names = only === undefined ? Object.keys(apps) : [only];
    const ids = Object.keys(workers).filter((id) => workersOfApp?.has(id) ?? true);
    this.#append(this.#apps, names, apps);
    this.#append(this.#workers, ids, workers);
    this.times.push(at);
    if (this.times.length > this.#limit) this.times.shift();
  }

  /**
   * @param {number} at epoch ms
   * @returns {History} as it was then
   */
  until(at) {
    const after = this.times.findIndex((time) => time > at);
    const count = after < 0 ? this.times.length : after;
    const cut = (/** @type {Map<string, (Figures | null)[]>} */ rows) =>
      Object.fromEntries([...rows].map(([key, row]) => [key, row.slice(0, count)]));
    return new History(this.#limit, {
      times: this.times.slice(0, count),
      apps: cut(this.#apps),
      workers: cut(this.#workers),
    });
  }

  /** @param {string} name @returns {Figures | null} */
  latestOfApp(name) {
    return this.#apps.get(name)?.at(-1) ?? null;
  }

  /** @param {string} name @returns {readonly (Figures | null)[]} */
  ofApp(name) {
    return this.#apps.get(name) ?? [];
  }

  /** @param {number | string} id @returns {readonly (Figures | null)[]} */
  ofWorker(id) {
    return this.#workers.get(String(id)) ?? [];
  }

  /** @param {Map<string, (Figures | null)[]>} rows @param {string[]} keys @param {Record<string, Figures>} figures */
  #append(rows, keys, figures) {
    for (const key of keys) {
      if (!rows.has(key))
        rows.set(
          key,
          this.times.map(() => null),
        );
    }
    for (const [key, row] of rows) {
      row.push(Object.hasOwn(figures, key) ? figures[key] : null);
      if (row.length > this.#limit) row.shift();
      if (row.every((each) => each === null)) rows.delete(key);
    }
  }
}

/** @param {Record<string, (Figures | null)[]>} rows @param {number} limit */
function entriesOf(rows, limit) {
  return new Map(Object.entries(rows).map(([key, row]) => [key, row.slice(-limit)]));
}
