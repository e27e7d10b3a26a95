/** Past figures of rows, one for each second in which the page was visible. */
import { rowsOf, withFigures } from '../../../../show/rows.js';

/**
 * @import { App } from '../../../../protocol/shapes.js'
 * @import { Figures } from '../../../../show/rows.js'
 *
 * @typedef {Figures & {online?: number}} Sample online: workers, of an app only
 */

/** Of the last quarter of an hour. */
const MAX_SAMPLES = 900;
/** Rows beyond have no past. */
const MAX_ROWS = 200;

export class History {
  /** @type {number[]} epoch ms */
  times = [];
  /** By key; as many samples as there are times; null: it did not exist. @type {Map<string, (Sample | null)[]>} */
  #rows = new Map();

  /** @param {number} at epoch ms @param {readonly App[]} apps */
  add(at, apps) {
    if (at <= (this.times.at(-1) ?? 0)) return;
    const samples = new Map(apps.flatMap((app) => samplesOf(app, at)));
    for (const key of samples.keys()) {
      if (this.#rows.has(key) || this.#rows.size >= MAX_ROWS) continue;
      this.#rows.set(key, Array(this.times.length).fill(null));
    }
    for (const [key, row] of this.#rows) {
      row.push(samples.get(key) ?? null);
      if (row.length > MAX_SAMPLES) row.shift();
      if (row.every((each) => each === null)) this.#rows.delete(key);
    }
    this.times.push(at);
    if (this.times.length > MAX_SAMPLES) this.times.shift();
  }

  /** @param {string} key of a row @returns {readonly (Sample | null)[]} */
  of(key) {
    return this.#rows.get(key) ?? [];
  }
}

/** @param {App} app @param {number} at @returns {[key: string, Sample][]} */
function samplesOf(app, at) {
  const online = app.workers.filter(({ status }) => status === 'online').length;
  return rowsOf(app).map((row) => {
    const { key, kind, figures } = withFigures(row, at);
    return [key, kind === 'worker' ? figures : { ...figures, online }];
  });
}
