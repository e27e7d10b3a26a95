/** Past figures of apps and workers, one for each second in which a page was open. The server keeps them as the page does. */

/** @import { Figures, History as Received, Sample } from '../../shapes.js' */

/** Rows beyond have no past. */
const MAX_ROWS = 500;

/** @typedef {Map<string, (Figures | null)[]>} Rows as many figures as there are times */

export class History {
  /** @type {number[]} epoch ms */
  times = [];
  #limit;
  /** By name. @type {Rows} */
  #apps = new Map();
  /** By worker id. @type {Rows} */
  #workers = new Map();
  /** @type {Sample | null} */
  #latest = null;

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
    if (only === undefined) this.#latest = { at, apps, workers };
    const names = only === undefined ? Object.keys(apps) : [only];
    const ids = Object.keys(workers).filter((id) => workersOfApp?.has(id) ?? true);
    this.#append(this.#apps, names, apps);
    this.#append(this.#workers, ids, workers);
    this.times.push(at);
    if (this.times.length > this.#limit) this.times.shift();
  }

  /**
   * @param {number} [samples] at most this many, the latest ones
   * @param {string[]} [ids] of the workers
   * @param {string[]} [names] of the apps
   * @returns {Received}
   */
  read(samples = this.#limit, ids = [...this.#workers.keys()], names = [...this.#apps.keys()]) {
    return {
      times: this.times.slice(-samples),
      apps: latestOf(this.#apps, names, samples),
      workers: latestOf(this.#workers, ids, samples),
    };
  }

  /**
   * @param {number} at epoch ms
   * @returns {History} as it was then
   */
  until(at) {
    const after = this.times.findIndex((time) => time > at);
    const count = after < 0 ? this.times.length : after;
    const past = new History(this.#limit);
    past.times = this.times.slice(0, count);
    past.#apps = new Map([...this.#apps].map(([key, row]) => [key, row.slice(0, count)]));
    past.#workers = new Map([...this.#workers].map(([key, row]) => [key, row.slice(0, count)]));
    return past;
  }

  /** @param {string} name @returns {readonly (Figures | null)[]} */
  ofApp(name) {
    return this.#apps.get(name) ?? withoutPast(this.#latest?.apps, name);
  }

  /** @param {number | string} id @returns {readonly (Figures | null)[]} */
  ofWorker(id) {
    return this.#workers.get(String(id)) ?? withoutPast(this.#latest?.workers, String(id));
  }

  /** @param {Rows} rows @param {string[]} keys @param {Record<string, Figures>} figures */
  #append(rows, keys, figures) {
    const added = keys.filter((key) => !rows.has(key));
    const room = Math.max(0, MAX_ROWS - this.#apps.size - this.#workers.size);
    for (const key of added.slice(0, room)) rows.set(key, Array(this.times.length).fill(null));
    for (const [key, row] of rows) {
      row.push(Object.hasOwn(figures, key) ? figures[key] : null);
      if (row.length > this.#limit) row.shift();
      if (row.every((each) => each === null)) rows.delete(key);
    }
  }
}

/** @param {Record<string, Figures> | undefined} latest @param {string} key @returns {(Figures | null)[]} of a row beyond MAX_ROWS */
function withoutPast(latest, key) {
  return latest && Object.hasOwn(latest, key) ? [latest[key]] : [];
}

/** @param {Record<string, (Figures | null)[]>} rows @param {number} limit @returns {Rows} */
function entriesOf(rows, limit) {
  return new Map(Object.entries(rows).map(([key, row]) => [key, row.slice(-limit)]));
}

/** @param {Rows} rows @param {string[]} keys @param {number} samples */
function latestOf(rows, keys, samples) {
  const known = keys.filter((key) => rows.has(key));
  return Object.fromEntries(known.map((key) => [key, rows.get(key)?.slice(-samples) ?? []]));
}
