/**
 * The table of all options of an app. Validation, the flags of `start`, `--help`,
 * docs/configuration.md, the JSON Schema and the comparison of two specs read it.
 */
import { environment } from './environment.js';
import { instances } from './instances.js';
import { logs } from './logs.js';
import { reloadTriggers } from './reload-triggers.js';
import { program } from './program.js';
import { restarts } from './restarts.js';
import { privileges } from './privileges.js';
import { startAndStop } from './start-and-stop.js';

/** @import { ValueType } from '../types/values.js' */

/**
 * What it takes to apply a change of an option: nothing, more or fewer workers, a rolling
 * replacement of the workers (no downtime), or a new primary process (downtime).
 * @typedef {'nothing'|'scale'|'reload'|'restart'} Needs
 *
 * @typedef {object} Flag
 * @property {string} [short] `-i`
 * @property {string} [long] if it is not the key with dashes
 * @property {string} [takes] name of the argument; without it the flag is a switch
 * @property {true} [repeatable]
 * @property {true} [negated] the switch is `--no-…`
 * @property {string} [help] if the description does not fit a flag; with the default
 *
 * @typedef {object} Option
 * @property {string} key as in a file; `killTimeout` and `kill-timeout` mean the same
 * @property {string|null} spec its key in a Spec; null if it only contributes to another one
 * @property {string} group heading in the documentation
 * @property {ValueType} type
 * @property {unknown} default as a file would have it; null for none
 * @property {string} [defaultText] if the default is computed
 * @property {Needs} needs
 * @property {string} description
 * @property {unknown} example
 * @property {string[]} [aliases] keys of PM2 for the same
 * @property {Flag} [flag] none: not a flag of `start`
 *
 * @typedef {Partial<Option> & Omit<Option, 'group' | 'spec' | 'default' | 'needs'>} GroupOption
 *   by default, `spec` is the key in camelCase, and a change needs nothing
 */

/** @type {readonly Option[]} */
export const options = Object.freeze([
  ...inGroup('The program', program),
  ...inGroup('Instances', instances),
  ...inGroup('Environment', environment),
  ...inGroup('Restarts', restarts),
  ...inGroup('Starting and stopping', startAndStop),
  ...inGroup('Automatic reloads', reloadTriggers),
  ...inGroup('Logs', logs),
  ...inGroup('User and group', privileges),
]);

/**
 * @param {string} group
 * @param {GroupOption[]} members
 * @returns {Option[]}
 */
function inGroup(group, members) {
  return members.map((option) => {
    const spec = option.key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
    return { spec, default: null, needs: 'nothing', ...option, group };
  });
}
