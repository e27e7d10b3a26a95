/** Past figures of rows, one for each second in which the page was visible. */
import { rowsOf, withFigures } from '../../../../show/rows.js';

/**
 * @import { App } from '../../../../protocol/shapes.js'
 * @import { BareRow as Row, Figures } from '../../../../show/rows.js'
 *
 * @typedef {Figures & {online?: number}} Sample online: workers, of an app only
 */

/** Of the last quarter of an hour. */
const MAX_SAMPLES = 900;
/** Rows beyond have no past. */
const MAX_ROWS = 500;

export class History {
  /** @type {number[]} epoch ms */
  times = [];
  /** By key; as many samples as there are times; null: it did not exist. @type {Map<string, (Sample | null)[]>} */
  #rows = new Map();

  /** @param {number} at epoch ms @param {readonly App[]} apps @param {App | null} shown its workers come before others */
  add(at, apps, shown) {
    if (at <= (this.times.at(-1) ?? 0)) return;
    const rankOf = (/** @type {Row} */ { key, kind, app }) => {
      if (kind !== 'worker') return 0;
      if (app.name === shown?.name) return 1;
      return this.#rows.has(key) ? 2 : 3;
    };
    const rows = apps.flatMap(rowsOf).sort((a, b) => rankOf(a) - rankOf(b));
    const samples = new Map(rows.slice(0, MAX_ROWS).map((row) => [row.key, sampleOf(row, at)]));
    for (const key of samples.keys()) {
      if (!this.#rows.has(key)) this.#rows.set(key, Array(this.times.length).fill(null));
    }
    for (const [key, row] of this.#rows) {
      row.push(samples.get(key) ?? null);
      if (row.length > MAX_SAMPLES) row.shift();
      const isGone = row.every((each) => each === null);
      const isOneTooMany = this.#rows.size > MAX_ROWS && !samples.has(key);
      if (isGone || isOneTooMany) this.#rows.delete(key);
    }
    this.times.push(at);
    if (this.times.length > MAX_SAMPLES) this.times.shift();
  }

  /** @param {string} key of a row @returns {readonly (Sample | null)[]} */
  of(key) {
    return this.#rows.get(key) ?? [];
  }
}

/** @param {Row} row @param {number} at @returns {Sample} */
function sampleOf(row, at) {
  const { kind, app, figures } = withFigures(row, at);
  if (kind === 'worker') return figures;
  const online = app.workers.filter(({ status }) => status === 'online').length;
  return { ...figures, online };
}
