/**
 * The table of all options of an app. Validation, the flags of `start`, `--help`,
 * docs/configuration.md, the JSON Schema and the comparison of two specs read it.
 */
import { environment, program } from './program.js';
import { instances } from './instances.js';
import { featureOptions } from '../../features/options.js';
import { logs } from './logs.js';
import { restarts } from './restarts.js';
import { privileges } from './privileges.js';
import { startAndStop } from './start-and-stop.js';
import { specKey } from '../types/map.js';

/** @import { GroupOption, Option } from './option.js' */

/** @type {readonly Option[]} */
export const options = Object.freeze([
  ...inGroup('The program', program),
  ...inGroup('Instances', instances),
  ...inGroup('Environment', environment),
  ...inGroup('Restarts', restarts),
  ...inGroup('Starting and stopping', startAndStop),
  ...featureOptions.flatMap(({ group, options: own }) => inGroup(group, own)),
  ...inGroup('Logs', logs),
  ...inGroup('User and group', privileges),
]);

/** @param {string} group @param {GroupOption[]} members @returns {Option[]} */
function inGroup(group, members) {
  return members.map((option) => {
    const spec = specKey(option.key, option.type);
    return { spec, default: null, needs: 'nothing', ...option, group };
  });
}

/**
 * @param {Option} option
 * @returns {string} for documentation and help: `5s`
 */
export function describeDefault({ default: value, defaultText }) {
  if (defaultText) return defaultText;
  if (value === null || typeof value === 'object') return 'none';
  return `\`${value}\``;
}
