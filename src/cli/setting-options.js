/** The options of commands that set the settings of an app. Apart from options.js, because it loads them all. */
import { startFlags } from '../config/flags.js';

/** @import { CommandOption } from './command.js' */

/** @returns {CommandOption[]} one for each setting of an app that has a flag */
export function settingOptions() {
  return startFlags().map(({ flags, description, brief, group, repeatable, values }) => ({
    flags,
    summary: description,
    brief,
    isRare: brief === undefined,
    heading: `${group}:`,
    repeatable,
    values,
  }));
}

/** @returns {CommandOption[]} the same, for a command that most people give none of them */
export function rareSettingOptions() {
  return settingOptions().map((option) => ({ ...option, isRare: true }));
}
