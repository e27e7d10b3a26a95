/** What a worker is started with. */

/**
 * @typedef {import('./launch.js').Launch} Launch
 *
 * @typedef {object} WorkerOrder
 * @property {number} key unique in this primary
 * @property {number} slot
 * @property {Launch} launch
 * @property {import('../lifecycle/readiness.js').Candidate['expected']} expected what it must
 *   listen on to be online
 * @property {boolean} replaces it is to take over from a working one
 * @property {import('./launchers/launched.js').Launcher} launcher
 * @property {import('./remains.js').Remains} remains
 * @property {import('./log/app-logs.js').AppLogs} logs
 */

export {};
