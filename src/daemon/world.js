/**
 * What every action and handler of the daemon works with.
 * @typedef {object} World
 * @property {import('../shared/home.js').HomePaths} paths
 * @property {import('./app-table.js').AppTable} table
 * @property {import('./log.js').Log} log
 * @property {import('./metrics.js').Metrics} metrics
 * @property {import('./telemetry.js').Telemetry} telemetry
 * @property {import('./live-view.js').LiveView} liveView
 * @property {import('./event-hub.js').EventHub} events
 * @property {import('./triggers.js').Triggers} triggers
 * @property {number} startedAt epoch ms
 * @property {boolean} ending nothing is begun any more
 * @property {() => void} end lets the daemon end after its answer
 */

/** Tells the client of a command what happens meanwhile. @typedef {(event: object) => void} Report */

export {};
