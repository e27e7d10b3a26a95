/** The figures of a row, from left to right as in `monit`. */
import { columns as shown } from '../../../../show/columns.js';
import { cpuScale, memoryScale } from '../../../../show/scale.js';
import { FIGURE } from '../state/history.js';

/**
 * @import { ColumnRow, Shown } from '../../../../show/columns.js'
 * @import { Scale } from '../../../../show/scale.js'
 * @import { Figures } from '../../shapes.js'
 * @import { FigureName } from '../state/history.js'
 * @import { Row } from './rows.js'
 */

/**
 * @typedef {object} Curve of the last minute, shown instead of a text
 * @property {FigureName} figure
 * @property {(values: (number | null)[]) => Scale} scale
 *
 * @typedef {Shown & {heading: string, name: string, curve?: Curve}} Column heading: '' for a curve; name: of its
 *   class, after `c-`
 */

/** Beside the column. @type {Record<string, Curve>} */
const CURVES = {
  cpu: { figure: 'cpu', scale: cpuScale },
  memory: { figure: 'memory', scale: memoryScale },
};
const HEADINGS = 'cpu memory loop delay req/s 5xx/s p99 restarts uptime port pid'.split(' ');
/** Of headings that cannot be part of a class. @type {Record<string, string>} */
const NAMES = { 'req/s': 'rate', '5xx/s': 'errors' };

/** @type {Column[]} */
export const columns = HEADINGS.flatMap((heading) => {
  const column = { ...shown[heading], heading, name: NAMES[heading] ?? heading };
  const curve = CURVES[heading];
  return curve ? [column, { text: () => '', heading: '', name: 'spark', curve }] : [column];
});

/**
 * @param {Row} row
 * @param {Figures | null} figures the latest
 * @param {number} now epoch ms
 * @returns {ColumnRow}
 */
export function withFigures(row, figures, now) {
  const { app, worker } = row;
  const figure = (/** @type {FigureName} */ name) => figures?.[FIGURE[name]] ?? null;
  return {
    ...row,
    worker: worker && { ...worker, uptimeMs: worker.startedAt && now - worker.startedAt },
    figures: {
      cpu: figure('cpu'),
      memory: figure('memory'),
      elu: figure('elu'),
      eventLoopDelayMs: percentiles(figure('loopP50'), figure('loopP99')),
      requestsPerSecond: figure('requests'),
      errorsPerSecond: figure('errors'),
      latencyMs: percentiles(figure('latencyP50'), figure('latencyP99')),
      restarts: (worker ?? app).restarts ?? null,
    },
  };
}

/** @param {number | null} p50 @param {number | null} p99 */
function percentiles(p50, p99) {
  return p50 === null || p99 === null ? null : { p50, p99 };
}
