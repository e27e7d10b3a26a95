/** The name of an app: the given one, or one made from its script. */
import { basename, resolve } from 'node:path';
import { isLoader } from '../command/launchers.js';
import { ConfigValue } from '../file/config-value.js';
import { appName } from '../types/values.js';
import { defaultName } from './default-name.js';

/**
 * @import { Spec } from '../spec.js'
 * @import { AppContext, Settings } from './app.js'
 */

/**
 * @param {Record<string, any>} values by option key
 * @param {Pick<Spec, 'script' | 'cwd' | 'resolvedFrom'>|null} program that was found
 * @param {Settings} settings
 * @param {AppContext} context
 * @param {ConfigValue} input where to report that the name is too long
 * @returns {{name: string|undefined, baseName: string|undefined}} `baseName`: before
 *   append_env_to_name
 */
export function resolveName(values, program, { inputs }, { directory, envName }, input) {
  const script = program
    ? namingScript(program)
    : values.script && resolve(directory, values.script);
  const cwd = program?.cwd ?? directory;
  const baseName =
    inputs.has('name') || script === undefined ? values.name : defaultName(script, cwd);
  if (!values.append_env_to_name || envName === null || baseName === undefined) {
    return { name: baseName, baseName };
  }
  return { name: readName(`${baseName}-${envName}`, input), baseName };
}

/** @param {Pick<Spec, 'script' | 'resolvedFrom'>} program @returns {string} that gives the app its name */
export function namingScript({ script, resolvedFrom }) {
  if (resolvedFrom && resolvedFrom.lines.length > 0) return 'npm';
  const typed = resolvedFrom?.script ?? script;
  return isLoader(basename(typed)) ? script : typed;
}

/** @param {string} name @param {ConfigValue} input @returns {string|undefined} */
function readName(name, { path, source }) {
  return appName.read(new ConfigValue(name, path, source));
}
