/** `describe`: what each worker measures of itself. */
import { renderColumns } from '../table/columns.js';
import { maskLine } from '../mask.js';
import { paint } from '../palette.js';
import { indented, narrower } from '../table/labelled.js';
import { brevity, memory, rate, share } from '../quantity.js';

/**
 * @import { Terminal } from '../palette.js'
 * @import { Column } from '../table/columns.js'
 * @import { App, Worker } from '../table/ls.js'
 */

/**
 * @param {App} app
 * @param {Terminal} terminal
 * @returns {string[]}
 */
export function vitalLines({ name, workers }, terminal) {
  const measuring = workers.filter(({ elu }) => typeof elu === 'number');
  if (measuring.length === 0) return [];
  const { bold, dim } = paint(terminal);
  const table = renderColumns(columnsOf(name), measuring, narrower(terminal));
  return ['', `${bold('Measured')} ${dim('by the workers, just now')}`, ...indented(table)];
}

/**
 * @param {string} name
 * @returns {Column[]}
 */
function columnsOf(name) {
  /** @type {[heading: string, importance: number, text: (worker: Worker) => string][]} */
  const figures = [
    ['loop', 9, ({ elu }) => share(elu)],
    ['delay p50', 4, ({ eventLoopDelayMs }) => brevity(eventLoopDelayMs?.p50)],
    ['delay p99', 8, ({ eventLoopDelayMs }) => brevity(eventLoopDelayMs?.p99)],
    ['heap', 5, ({ heapUsed }) => memory(heapUsed)],
    ['conns', 3, ({ connections }) => String(connections ?? '-')],
    ['req/s', 10, ({ requestsPerSecond }) => rate(requestsPerSecond)],
    ['5xx/s', 6, ({ errorsPerSecond }) => rate(errorsPerSecond)],
    ['p50', 2, ({ latencyMs }) => brevity(latencyMs?.p50)],
    ['p99', 7, ({ latencyMs }) => brevity(latencyMs?.p99)],
  ];
  return [
    {
      ...{ heading: 'worker', importance: Infinity },
      text: (worker) => `${maskLine(name)}:${worker.slot}`,
    },
    ...figures.map(([heading, importance, text]) => ({
      ...{ heading, importance, text, align: /** @type {const} */ ('right') },
    })),
  ];
}
