/** What the rows showed in the last hour: each second of the last minutes, and what workers report anyway of the time before. */
import { HOUR_MS, pastFrames, STEP_MS } from '../../../../show/past.js';
import { rowsOf, withFigures } from '../../../../show/rows.js';

/**
 * @import { App } from '../../../../protocol/shapes.js'
 * @import { BareRow as Row, Figures } from '../../../../show/rows.js'
 *
 * @typedef {Figures & {online?: number}} Sample online: workers, of an app only
 * @typedef {{at: number, samples: ReadonlyMap<string, Sample>}} Frame samples: by the key of a row
 * @typedef {{at: number, sample: Sample | undefined}} Point of one row
 */

/** After which one second in ten is kept. */
const FINE_MS = 300_000;
/** Beyond, only apps and the workers of the one that is shown have a past. */
const MAX_ROWS = 500;

export class History {
  /** The oldest first. @type {Frame[]} */
  #frames = [];

  /** @param {number} at epoch ms @param {readonly App[]} apps @param {App | null} shown */
  add(at, apps, shown) {
    if (at <= (this.#frames.at(-1)?.at ?? 0)) return;
    this.#frames.push(frameOf(at, apps, shown));
    const fine = this.#frames.findIndex((frame) => at - frame.at < FINE_MS);
    const [before, last] = this.#frames.slice(Math.max(0, fine - 2), fine);
    if (last && last.at - before.at < STEP_MS) this.#frames.splice(fine - 1, 1);
    if (at - this.#frames[0].at > HOUR_MS) this.#frames.shift();
  }

  /** Fills the gaps: what it has itself says more. @param {readonly App[]} apps with their past @param {App | null} shown */
  begin(apps, shown) {
    const past = pastFrames(apps)
      .filter((frame) => this.#frames.every(({ at }) => Math.abs(at - frame.at) >= STEP_MS / 2))
      .map((frame) => frameOf(frame.at, frame.apps, shown));
    this.#frames = [...past, ...this.#frames].sort((one, other) => one.at - other.at);
  }

  /** @param {string} key of a row @param {number} from epoch ms @returns {Point[]} */
  since(key, from) {
    const shown = this.#frames.filter(({ at }) => at >= from);
    return shown.map(({ at, samples }) => ({ at, sample: samples.get(key) }));
  }
}

/** @param {number} at @param {readonly App[]} apps @param {App | null} shown @returns {Frame} */
function frameOf(at, apps, shown) {
  const all = apps.flatMap(rowsOf);
  const isNear = (/** @type {Row} */ { kind, app }) =>
    kind !== 'worker' || app.name === shown?.name;
  const rows = all.length > MAX_ROWS ? all.filter(isNear) : all;
  return { at, samples: new Map(rows.map((row) => [row.key, sampleOf(row, at)])) };
}

/** @param {Row} row @param {number} at @returns {Sample} */
function sampleOf(row, at) {
  const { kind, app, figures } = withFigures(row, at);
  if (kind === 'worker') return figures;
  const online = app.workers.filter(({ status }) => status === 'online').length;
  return { ...figures, online };
}
