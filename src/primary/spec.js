/**
 * What the primary reads of an app's spec. `src/config` makes it and documents each value.
 *
 * @typedef {object} Spec
 * @property {string} name
 * @property {string} script
 * @property {string[]} args
 * @property {string} cwd
 * @property {number} instances
 * @property {'cluster' | 'fork'} execMode
 * @property {string | null} interpreter
 * @property {string[]} nodeArgs
 * @property {'round-robin' | 'shared'} scheduling
 * @property {Record<string, string>} env
 * @property {Record<string, string>} shellEnv
 * @property {string} instanceVar
 * @property {string | null} incrementVar
 * @property {boolean} autorestart
 * @property {number[]} stopExitCodes
 * @property {number} minUptimeMs
 * @property {number} maxRestarts
 * @property {number} restartWindowMs
 * @property {number} restartDelayMs
 * @property {number} expBackoffRestartDelayMs
 * @property {number} maxRestartDelayMs
 * @property {NodeJS.Signals} killSignal
 * @property {number} killTimeoutMs
 * @property {number} drainTimeoutMs
 * @property {boolean} waitReady
 * @property {number} listenTimeoutMs
 * @property {boolean} shutdownWithMessage
 * @property {number} maxSurge
 * @property {number | null} uid
 * @property {number | null} gid
 */

export {};
