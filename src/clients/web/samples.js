/** The samples of the last quarter of an hour, in as much memory as they need and no more. */
import { figuresOf } from '../../show/figures.js';

/**
 * @import { Figures, History, Sample } from './shapes.js'
 * @import { Figures as Named } from '../../show/figures.js'
 * @import { Frame } from '../../api/feed.js'
 * @import { App, Worker } from '../../protocol/shapes.js'
 */

/** One per second. */
const MAX_SAMPLES = 900;
/** 80 kB each; rows beyond have no past. */
const MAX_ROWS = 500;

/** @typedef {Map<string, Float64Array>} Rows what is not known is NaN */

export class PastSamples {
  #times = new Float64Array(MAX_SAMPLES);
  /** How many there have ever been; the next one goes to this place, modulo the size. */
  #count = 0;
  /** By name. @type {Rows} */
  #apps = new Map();
  /** By worker id. @type {Rows} */
  #workers = new Map();

  /** @param {Sample} sample */
  add({ at, apps, workers }) {
    const place = this.#count % MAX_SAMPLES;
    this.#times[place] = at;
    this.#count += 1;
    this.#write(this.#apps, apps, place);
    this.#write(this.#workers, workers, place);
  }

  /**
   * @param {number} samples at most this many, the latest ones
   * @param {{apps: (name: string) => boolean, workers: (id: string) => boolean}} selected
   * @returns {History}
   */
  read(samples, selected) {
    const count = Math.min(samples, this.#count, MAX_SAMPLES);
    const places = Array.from(
      { length: count },
      (_, index) => (this.#count - count + index) % MAX_SAMPLES,
    );
    return {
      times: places.map((place) => this.#times[place]),
      apps: readRows(this.#apps, places, selected.apps),
      workers: readRows(this.#workers, places, selected.workers),
    };
  }

  /** @param {Rows} rows @param {Record<string, Figures>} figures @param {number} place */
  #write(rows, figures, place) {
    for (const [key, row] of rows) {
      if (Object.hasOwn(figures, key)) row.set(figures[key].map(numberOf), place * FIGURES);
      else rows.delete(key);
    }
    for (const [key, values] of Object.entries(figures)) {
      if (rows.has(key) || this.#apps.size + this.#workers.size >= MAX_ROWS) continue;
      const row = new Float64Array(MAX_SAMPLES * FIGURES).fill(NaN);
      row.set(values.map(numberOf), place * FIGURES);
      rows.set(key, row);
    }
  }
}

/** @param {Rows} rows @param {number[]} places @param {(key: string) => boolean} isSelected */
function readRows(rows, places, isSelected) {
  const selected = [...rows].filter(([key]) => isSelected(key));
  return Object.fromEntries(
    selected.map(([key, row]) => [key, places.map((place) => readFigures(row, place * FIGURES))]),
  );
}

/** @param {Float64Array} row @param {number} start @returns {Figures | null} null: nothing is known */
function readFigures(row, start) {
  const values = Array.from(row.subarray(start, start + FIGURES), (value) =>
    Number.isNaN(value) ? null : value,
  );
  return values.every((value) => value === null) ? null : /** @type {Figures} */ (values);
}

/** @param {number | null | undefined} value */
function numberOf(value) {
  return value ?? NaN;
}

/** The figures of one second, in a fixed order, since there are many. Pure. */
const FIGURES = 12;

/**
 * @param {Pick<Frame, 'at' | 'apps'>} frame
 * @returns {Sample}
 */
export function sampleOf({ at, apps }) {
  const workers = apps.flatMap((app) => app.workers);
  return {
    at,
    apps: Object.fromEntries(apps.map(({ name, workers: own }) => [name, figuresOfApp(own)])),
    workers: Object.fromEntries(workers.map((worker) => [worker.id, inOrder(worker)])),
  };
}

/** @param {Worker[]} workers @returns {Figures} */
function figuresOfApp(workers) {
  const figures = inOrder(workers.length === 1 ? workers[0] : figuresOf(workers));
  figures.push(workers.filter(({ status }) => status === 'online').length);
  return figures;
}

/** @param {Named} figures @returns {Figures} */
function inOrder(figures) {
  const { eventLoopDelayMs, latencyMs } = figures;
  return [
    rounded(figures.cpu, 1),
    rounded(figures.memory, 0),
    rounded(figures.elu, 3),
    rounded(eventLoopDelayMs?.p50, 1),
    rounded(eventLoopDelayMs?.p99, 1),
    rounded(figures.heapUsed, 0),
    rounded(figures.connections, 0),
    rounded(figures.requestsPerSecond, 1),
    rounded(figures.errorsPerSecond, 1),
    rounded(latencyMs?.p50, 2),
    rounded(latencyMs?.p99, 2),
  ];
}

/**
 * @param {App} app
 * @returns {App} without what the samples have
 */
export function withoutFigures({ workers, ...app }) {
  return { ...app, workers: workers.map(withoutOwnFigures) };
}

/** @param {Worker} worker @returns {Worker} */
function withoutOwnFigures({
  cpu: _cpu,
  memory: _memory,
  cpuTimeMs: _time,
  elu: _elu,
  eventLoopDelayMs: _delay,
  heapUsed: _used,
  heapTotal: _total,
  connections: _connections,
  requestsPerSecond: _requests,
  errorsPerSecond: _errors,
  latencyMs: _latency,
  ...rest
}) {
  return rest;
}

/** @param {number | null | undefined} value @param {number} digits */
function rounded(value, digits) {
  if (typeof value !== 'number') return null;
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}
