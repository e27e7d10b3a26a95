/**
 * The one table of what can be said about an app. Validation, the flags of `start`, `--help`,
 * docs/configuration.md, the JSON Schema and the comparison of two specs all read it. An option is
 * declared once, in the file of its group, when its behaviour exists, never before.
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
 * What a change of an option needs before it holds: nothing, more or fewer workers, new workers
 * one after another (no downtime), or a new primary process (downtime).
 * @typedef {'nothing'|'scale'|'reload'|'restart'} Needs
 */
/**
 * @typedef {object} Flag
 * @property {string} [short] `-i`
 * @property {string} [long] where it is not the key with dashes
 * @property {string} [takes] name of the argument; without it the flag is a switch
 * @property {true} [repeatable]
 * @property {true} [negated] the switch is `--no-…`
 * @property {string} [help] where the description does not fit a flag; it says the default too
 */
/**
 * @typedef {object} Option
 * @property {string} key as in a file; `killTimeout` and `kill-timeout` are understood too
 * @property {string|null} spec its key in a Spec; null when it only helps to make another
 * @property {string} group heading in the documentation
 * @property {ValueType} type
 * @property {unknown} default as a file would have it; null for none
 * @property {string} [defaultText] where the default is found out
 * @property {Needs} needs
 * @property {string} description
 * @property {unknown} example
 * @property {string[]} [aliases] other keys of PM2 for the same
 * @property {Flag} [flag] none: not a flag of `start`
 *
 * @typedef {Omit<Option, 'group'>} Member of a group
 */

/** @type {readonly Option[]} */
export const options = Object.freeze([
  ...inGroup('The program', program),
  ...inGroup('Instances', instances),
  ...inGroup('Environment', environment),
  ...inGroup('Restarts', restarts),
  ...inGroup('Starting and stopping', startAndStop),
  ...inGroup('Reload by itself', reloadTriggers),
  ...inGroup('Logs', logs),
  ...inGroup('Rights', privileges),
]);

/**
 * @param {string} group
 * @param {Member[]} members
 * @returns {Option[]}
 */
function inGroup(group, members) {
  return members.map((option) => ({ ...option, group }));
}
