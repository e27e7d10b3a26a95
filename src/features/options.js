/** The options of apps that features add. `settle` may change the values of one app, and reports what speaks against them. */
import { alarms } from './alarms/options.js';
import { cron } from './cron/options.js';
import { envFrom } from './env-from/options.js';
import { health } from './health/options.js';
import { jobs } from './jobs/options.js';
import { pidFile } from './pid-file/options.js';
import { spares } from './spares/options.js';
import { watch } from './watch/options.js';
import { wear } from './wear/options.js';

/**
 * @import { ConfigValue } from '../config/file/config-value.js'
 * @import { GroupOption } from '../config/options/option.js'
 *
 * @typedef {object} FeatureOptions
 * @property {string} group their heading in the documentation, which several features may share
 * @property {GroupOption[]} options
 * @property {(values: Record<string, any>, inputs: Map<string, ConfigValue>, ofServices: readonly string[]) => void} [settle]
 *   both by option key; inputs: those that were given; ofServices: keys of options that an app on demand cannot have
 */

/** @type {FeatureOptions[]} in the order of the documentation */
export const featureOptions = [spares, envFrom, pidFile, wear, health, cron, watch, jobs, alarms];
