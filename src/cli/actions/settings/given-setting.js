/** Settings of an app on a command line: options of `start`, and arguments of the program. */
import { flagsToEntries } from '../../../config/flags.js';

/** @import { Context } from '../../context.js' */

/**
 * @param {Pick<Context, 'options' | 'programArgs'>} context
 * @returns {string | null} the first of them; null: there is none
 */
export function givenSetting({ options, programArgs }) {
  const [setting = programArgs.length > 0 ? '--' : null] = Object.keys(flagsToEntries(options));
  return setting;
}
