/** What a worker is started with. */
/**
 * @import { Candidate } from '../../lifecycle/readiness.js'
 * @import { Launcher } from '../launchers/launched.js'
 * @import { AppLogs } from '../log/app-logs.js'
 * @import { Launch } from '../pool/generation.js'
 * @import { Remains } from '../processes/previous.js'
 */

/**
 * @typedef {object} WorkerOrder
 * @property {number} key unique in this primary
 * @property {number} slot
 * @property {Launch} launch
 * @property {Candidate['expected']} expected what it must
 *   listen on to be online
 * @property {boolean} replaces it is to take over from a working one
 * @property {Launcher} launcher
 * @property {Remains} remains
 * @property {AppLogs} logs
 */

export {};
