/**
 * @import { Progress, ProgressEvent } from '../../protocol/shapes.js'
 * @import { HomePaths } from '../../shared/home.js'
 * @import { LiveView } from '../apps/live-view.js'
 * @import { AppTable } from '../apps/table.js'
 * @import { EventHub } from '../events/hub.js'
 * @import { Log } from '../log.js'
 * @import { Telemetry } from '../metrics/telemetry.js'
 * @import { Metrics } from '../metrics/usage.js'
 * @import { Triggers } from '../triggers/triggers.js'
 */

/**
 * What every action and handler of the daemon works with.
 * @typedef {object} World
 * @property {HomePaths} paths
 * @property {AppTable} table
 * @property {Log} log
 * @property {Metrics} metrics
 * @property {Telemetry} telemetry
 * @property {LiveView} liveView
 * @property {EventHub} events
 * @property {Triggers} triggers
 * @property {boolean} ending nothing is begun any more
 * @property {() => void} end lets the daemon end after its answer
 */

/**
 * @typedef {(progress: Progress) => void} Report a step of a command, as the primary sees it
 * @typedef {(event: ProgressEvent) => void} ProgressListener the same, for the client
 */

export {};
