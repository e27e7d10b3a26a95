/**
 * The desired configuration of one app: frozen plain JSON, stored by the daemon and passed to the
 * primary. The table of options describes the values.
 *
 * @typedef {object} Spec
 * @property {string} name
 * @property {string} namespace
 * @property {string} script absolute, with symbolic links in it; or a bare command (fork mode)
 * @property {string[]} args
 * @property {string} cwd absolute, with symbolic links in it
 * @property {number} instances at least 1
 * @property {'cluster'|'fork'} execMode
 * @property {string|null} interpreter cluster: another Node, or null; fork: what runs the script
 * @property {string[]} nodeArgs
 * @property {'round-robin'|'shared'} scheduling
 * @property {Record<string, string>} env of file and flags
 * @property {Record<string, string>} shellEnv of the shell that started it; env overrides it
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
 * @property {Record<string, 'file'|'flag'|'scaled'>|null} given who set the values that
 *   are not defaults, by keys of the spec and `env.<name>`; null: not known
 */

export {};
