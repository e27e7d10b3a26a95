/** The figures of a row: heading, text and tone of each, from left to right as in `monit`. */
import {
  formatCpu,
  formatInteger,
  formatLatency,
  formatMemory,
  formatRate,
  formatShare,
  formatUptime,
} from '../format/quantity.js';
import { cpuTone, delayTone, errorTone, loopTone } from '../format/tone.js';
import { FIGURE } from '../state/history.js';
import { ownScale, scaleFromZero } from './sparkline.js';

/**
 * @import { Figures } from '../../shapes.js'
 * @import { Tone } from '../format/tone.js'
 * @import { FigureName } from '../state/history.js'
 * @import { Row } from './rows.js'
 */

/**
 * @typedef {object} Column
 * @property {string} heading '' for a curve
 * @property {string} name of its class, after `c-`
 * @property {(row: Row, figures: Figures | null, now: number) => string} text
 * @property {(row: Row, figures: Figures | null) => Tone} [tone]
 * @property {Curve} [curve] shown instead of the text
 *
 * @typedef {object} Curve
 * @property {FigureName} figure
 * @property {(values: (number | null)[]) => {low: number, high: number}} scale
 */

/** Percent of one core. */
const MIN_CPU_SPAN = 20;
/** Bytes. */
const MIN_MEMORY_SPAN = 16 * 1024 ** 2;

/** @type {Column[]} */
export const columns = [
  {
    ...figure('cpu', 'cpu', 'cpu', formatCpu),
    tone: ({ worker, workers }, figures) =>
      cpuTone(valueOf(figures, 'cpu'), worker ? 1 : workers.length),
  },
  curve('cpu', (values) => scaleFromZero(values, MIN_CPU_SPAN)),
  figure('memory', 'memory', 'memory', formatMemory),
  curve('memory', (values) => ownScale(values, MIN_MEMORY_SPAN)),
  figure('loop', 'loop', 'elu', formatShare, loopTone),
  figure('delay', 'delay', 'loopP99', formatLatency, delayTone),
  figure('rate', 'req/s', 'requests', formatRate),
  figure('errors', '5xx/s', 'errors', formatRate, errorTone),
  figure('p99', 'p99', 'latencyP99', formatLatency),
  { name: 'restarts', heading: 'restarts', text: restartsText },
  { name: 'uptime', heading: 'uptime', text: uptimeText },
  { name: 'port', heading: 'port', text: portText },
  {
    name: 'pid',
    heading: 'pid',
    text: ({ kind, worker }) => (kind === 'app' ? '' : formatInteger(worker?.pid)),
  },
];

/**
 * @param {string} name
 * @param {string} heading
 * @param {FigureName} key
 * @param {(value: number | null) => string} format
 * @param {(value: number | null) => Tone} [tone]
 * @returns {Column}
 */
function figure(name, heading, key, format, tone) {
  return {
    name,
    heading,
    text: (_row, figures) => format(valueOf(figures, key)),
    ...(tone && { tone: (_row, figures) => tone(valueOf(figures, key)) }),
  };
}

/** @param {FigureName} figure @param {Curve['scale']} scale @returns {Column} */
function curve(figure, scale) {
  return { name: 'spark', heading: '', text: () => '', curve: { figure, scale } };
}

/** @param {Figures | null} figures @param {FigureName} key */
function valueOf(figures, key) {
  return figures?.[FIGURE[key]] ?? null;
}

/** @param {Row} row */
function restartsText({ app, worker }) {
  return formatInteger(worker ? worker.restarts : app.restarts);
}

/** @param {Row} row @param {Figures | null} _figures @param {number} now */
function uptimeText({ kind, worker }, _figures, now) {
  if (kind === 'app') return '';
  return formatUptime(worker?.startedAt === undefined ? null : now - worker.startedAt);
}

/** @param {Row} row @returns {string} of a worker only if another worker of its app differs */
function portText({ kind, worker, workers }) {
  const all = portsOf(workers);
  if (worker === null || kind === 'single') return all;
  const own = portsOf([worker]);
  return own === all ? '' : own;
}

/** @param {Row['workers']} workers */
function portsOf(workers) {
  const addresses = workers.flatMap(({ listening = [] }) =>
    listening.map(({ address }) => address),
  );
  const ports = addresses.map((address) => /:(\d+)$/.exec(address)?.[1] ?? 'unix');
  return [...new Set(ports)].join(', ');
}
