/** What features add to `reload`, for its command and for programs. */
import { canary } from './canary/reload.js';

/**
 * @import { Kind } from '../api/arguments.js'
 * @import { ReloadOptions } from '../api/types.js'
 * @import { CommandOption } from '../cli/command.js'
 * @import { Rolling } from '../protocol/methods.js'
 *
 * @typedef {object} ReloadFeature
 * @property {CommandOption[]} flags of the command
 * @property {string[]} examples of them
 * @property {(flags: Record<string, any>) => Partial<Rolling>} fromFlags throws E_USAGE
 * @property {Record<string, Kind>} options of reload() of a program, which have the same names in its order
 * @property {(options: Record<string, any>) => Partial<Rolling>} fromOptions which have been checked
 */

/** @type {ReloadFeature[]} */
export const reloadFeatures = [canary];

/** @param {Rolling} params of a command, which has others too @returns {Rolling} how its workers are replaced */
export function rollingIn(params) {
  const keys = [
    'parallel',
    'onFailure',
    ...reloadFeatures.flatMap(({ options }) => Object.keys(options)),
  ];
  return Object.fromEntries(Object.entries(params).filter(([key]) => keys.includes(key)));
}

/** @param {ReloadOptions} options of a program @returns {Rolling} how its workers are replaced */
export function rollingOf({ parallel, onFailure, ...others }) {
  const added = reloadFeatures.map(({ fromOptions }) => fromOptions(others));
  return Object.assign({ parallel, onFailure }, ...added);
}
