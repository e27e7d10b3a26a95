/** The figures of one second, which are sent in this order, since there are many. */

/**
 * @import { Figures } from '../../shapes.js'
 * @import { Figures as Named } from '../../../../show/rows.js'
 */

/** @typedef {Named & {online?: number}} Source online: workers, of an app only */

/** What each is, and how many of its digits are sent. */
const TABLE = {
  cpu: row(1, ({ cpu }) => cpu),
  memory: row(0, ({ memory }) => memory),
  elu: row(3, ({ elu }) => elu),
  loopP50: row(1, ({ eventLoopDelayMs }) => eventLoopDelayMs?.p50),
  loopP99: row(1, ({ eventLoopDelayMs }) => eventLoopDelayMs?.p99),
  heapUsed: row(0, ({ heapUsed }) => heapUsed),
  connections: row(0, ({ connections }) => connections),
  requests: row(1, ({ requestsPerSecond }) => requestsPerSecond),
  errors: row(1, ({ errorsPerSecond }) => errorsPerSecond),
  latencyP50: row(2, ({ latencyMs }) => latencyMs?.p50),
  latencyP99: row(2, ({ latencyMs }) => latencyMs?.p99),
  online: row(0, ({ online }) => online),
};

/** @typedef {keyof typeof TABLE} FigureName */

/** @param {number} digits @param {(source: Source) => number | null | undefined} of */
function row(digits, of) {
  return { digits, of };
}

/** Where each figure is in a sample. */
export const FIGURE = /** @type {Record<FigureName, number>} */ (
  Object.fromEntries(Object.keys(TABLE).map((name, index) => [name, index]))
);

/** @param {Source} source @returns {Figures} */
export function inOrder(source) {
  return Object.values(TABLE).map(({ digits, of }) => {
    const value = of(source);
    return typeof value === 'number' ? Number(value.toFixed(digits)) : null;
  });
}

/** @param {Figures | null} figures @returns {Named} by the names that columns know */
export function namedFigures(figures) {
  const of = (/** @type {FigureName} */ name) => figures?.[FIGURE[name]] ?? undefined;
  return {
    cpu: of('cpu'),
    memory: of('memory'),
    elu: of('elu'),
    eventLoopDelayMs: percentiles(of('loopP50'), of('loopP99')),
    requestsPerSecond: of('requests'),
    latencyMs: percentiles(of('latencyP50'), of('latencyP99')),
  };
}

/** @param {number} [p50] @param {number} [p99] */
function percentiles(p50, p99) {
  return p50 === undefined || p99 === undefined ? undefined : { p50, p99 };
}
