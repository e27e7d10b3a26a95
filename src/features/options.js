/** The options of apps that features add. `settle` may change the values of one app, and reports what speaks against them. */
import { jobs } from './jobs/options.js';

/**
 * @import { ConfigValue } from '../config/file/config-value.js'
 * @import { GroupOption } from '../config/options/option.js'
 *
 * @typedef {object} FeatureOptions
 * @property {string} group their heading in the documentation
 * @property {GroupOption[]} options
 * @property {(values: Record<string, any>, inputs: Map<string, ConfigValue>) => void} [settle] both by option key;
 *   inputs: those that were given
 */

/** @type {FeatureOptions[]} */
export const featureOptions = [jobs];
