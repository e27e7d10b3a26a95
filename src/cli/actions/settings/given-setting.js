/** Settings of an app on a command line: options of `start`, and arguments of the program. */
import { flagsToEntries } from '../../../config/flags.js';
import { NodeclusterError } from '../../../errors/error.js';

/** @import { Context } from '../../context.js' */

/**
 * @param {Pick<Context, 'options' | 'programArgs'>} context
 * @returns {string | null} the first of them; null: there is none
 */
export function givenSetting({ options, programArgs }) {
  const [setting = programArgs.length > 0 ? '--' : null] = Object.keys(flagsToEntries(options));
  return setting;
}

/**
 * @param {Context} context
 * @param {string} reason why the target takes none
 * @throws {NodeclusterError} E_USAGE
 */
export function assertNoSettings(context, reason) {
  const setting = givenSetting(context);
  if (setting === null) return;
  const detail = `The option ${setting} works only with a program or an app, and ${reason}`;
  throw new NodeclusterError('E_USAGE', { detail, command: context.command });
}
