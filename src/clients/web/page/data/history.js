/** Past figures of rows, one for each second in which a page was open. The server keeps them as the page does. */

/** @import { Figures, History as Received, Sample } from '../../shapes.js' */

/** Rows beyond have no past. */
const MAX_ROWS = 500;

export class History {
  /** @type {number[]} epoch ms */
  times;
  #limit;
  /** By key; as many figures as there are times. @type {Map<string, (Figures | null)[]>} */
  #rows;
  /** @type {Sample['rows']} */
  #latest = {};

  /** @param {number} limit number of samples @param {Received} [received] */
  constructor(limit, { times, rows } = { times: [], rows: {} }) {
    this.#limit = limit;
    this.times = times.slice(-limit);
    this.#rows = new Map(Object.entries(rows).map(([key, row]) => [key, row.slice(-limit)]));
  }

  /** @param {Sample} sample @param {string} [app] whose rows alone are kept */
  add({ at, rows }, app) {
    if (at <= (this.times.at(-1) ?? 0)) return;
    const own = Object.entries(rows).filter(([key]) => isOf(app, key));
    this.#latest = Object.fromEntries(own);
    const added = own.filter(([key]) => !this.#rows.has(key));
    const room = Math.max(0, MAX_ROWS - this.#rows.size);
    for (const [key] of added.slice(0, room)) {
      this.#rows.set(key, Array(this.times.length).fill(null));
    }
    for (const [key, row] of this.#rows) {
      row.push(Object.hasOwn(rows, key) ? rows[key] : null);
      if (row.length > this.#limit) row.shift();
      if (row.every((each) => each === null)) this.#rows.delete(key);
    }
    this.times.push(at);
    if (this.times.length > this.#limit) this.times.shift();
  }

  /** @param {string} [app] whose rows alone are read @param {number} [samples] the latest ones @returns {Received} */
  read(app, samples = this.#limit) {
    const own = [...this.#rows].filter(([key]) => isOf(app, key));
    const rows = own.map(([key, row]) => [key, row.slice(-samples)]);
    return { times: this.times.slice(-samples), rows: Object.fromEntries(rows) };
  }

  /** @param {string} key of a row @returns {readonly (Figures | null)[]} beyond MAX_ROWS only the latest */
  of(key) {
    const latest = Object.hasOwn(this.#latest, key) ? [this.#latest[key]] : [];
    return this.#rows.get(key) ?? latest;
  }
}

/** @param {string | undefined} app undefined: any @param {string} key of a row */
function isOf(app, key) {
  return app === undefined || key.split(':')[0] === app;
}
