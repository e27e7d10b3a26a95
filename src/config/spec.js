/**
 * What is wanted of one app: frozen plain JSON, kept by the daemon and given to the primary.
 * options.js describes the values.
 *
 * @typedef {object} Spec
 * @property {string} name
 * @property {string} namespace
 * @property {string} script absolute, symlinks unresolved; or a bare command (fork mode)
 * @property {string[]} args
 * @property {string} cwd absolute, symlinks unresolved
 * @property {number} instances counted: at least 1
 * @property {'cluster'|'fork'} execMode
 * @property {string|null} interpreter cluster: another Node, or null; fork: what runs the script
 * @property {string[]} nodeArgs
 * @property {'round-robin'|'shared'} scheduling
 * @property {Record<string, string>} env of file and flags
 * @property {Record<string, string>} shellEnv of the shell that started it; env goes over it
 * @property {string} instanceVar
 * @property {string|null} incrementVar
 * @property {boolean} autorestart
 * @property {number[]} stopExitCodes
 * @property {number} minUptimeMs
 * @property {number} maxRestarts
 * @property {number} restartWindowMs
 * @property {number} restartDelayMs
 * @property {number} expBackoffRestartDelayMs
 * @property {number} maxRestartDelayMs
 * @property {number|null} maxMemoryRestartBytes
 * @property {number|null} hangTimeoutMs
 * @property {NodeJS.Signals} killSignal
 * @property {number} killTimeoutMs
 * @property {boolean} treekill
 * @property {number} drainTimeoutMs
 * @property {number} holdTimeoutMs
 * @property {number} holdConnections
 * @property {boolean} waitReady
 * @property {number} listenTimeoutMs
 * @property {boolean} shutdownWithMessage
 * @property {number} maxSurge
 * @property {boolean} mergeLogs
 * @property {string|null} outFile absolute
 * @property {string|null} errorFile absolute
 * @property {string|null} logFile absolute
 * @property {'text'|'raw'|'json'} logType
 * @property {boolean} time
 * @property {string|null} logDateFormat
 * @property {{maxSizeBytes: number, keep: number, compress: boolean}|null} logRotate
 * @property {string|null} cronRestart
 * @property {boolean|string[]} watch true: all of cwd; absolute paths
 * @property {string[]} ignoreWatch
 * @property {number} watchDelayMs
 * @property {number|null} uid
 * @property {number|null} gid
 * @property {string|null} configFile
 * @property {Record<string, 'file'|'flag'|'scaled'>|null} given where the values that are no
 *   defaults were set, by their keys here, those of `env` as `env.<name>` too; null: not known
 */

export {};
