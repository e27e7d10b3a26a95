/** Settings beside an ecosystem file: `start ecosystem.yml --only api -i 2`. */
import { changeByFlags, flagsToEntries } from '../../config/flags.js';
import { loadSpecs } from '../../api/load-specs.js';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Context } from '../context.js'
 * @import { FileTarget } from '../../api/selectors.js'
 */

/**
 * @param {Context} context
 * @param {FileTarget} target
 * @returns {Promise<{specs: Spec[], file: string | null}>} of the apps that the command takes, each
 *   with the settings of the command line
 * @throws {NodeclusterError} E_USAGE, E_FLAG_INVALID, and as loadSpecs
 */
export async function loadChangedSpecs(context, target) {
  const { name, ...flags } = flagsToEntries(context.options);
  if (name !== undefined) throw notForFiles('--name works', context);
  if (context.programArgs.length > 0) throw notForFiles('Arguments after -- work', context);
  const { specs, file, warnings } = await loadSpecs(context, target, context.options);
  context.warn(warnings);
  if (Object.keys(flags).length === 0) return { specs, file };
  const changed = specs.map((spec) => {
    const { spec: next, warnings: more } = changeByFlags(spec, {
      args: [],
      flags,
      cwd: context.cwd,
    });
    // The file has had the same ones, in front of them its lines.
    const isNew = (/** @type {string} */ text) =>
      !warnings.some((each) => each.endsWith(text.slice(text.indexOf(' '))));
    context.warn(more.filter(isNew));
    return next;
  });
  return { specs: changed, file };
}

/** @param {string} what @param {Context} context */
function notForFiles(what, { command }) {
  const reason = 'an ecosystem file has names and arguments of its own';
  const detail = `${what} only with a program or an app: ${reason}`;
  return new NodeclusterError('E_USAGE', { detail, command });
}

/**
 * Settings of an app on a command line: options of `start`, and arguments of the program.
 * @param {Pick<Context, 'options' | 'programArgs'>} context
 * @returns {string | null} the first of them; null: there is none
 */
export function givenSetting({ options, programArgs }) {
  const [setting = programArgs.length > 0 ? '--' : null] = Object.keys(flagsToEntries(options));
  return setting;
}
