/** The name of an app: the given one, or one made from its script. */
import { resolve } from 'node:path';
import { ConfigValue } from '../file/config-value.js';
import { appName } from '../types/values.js';
import { defaultName } from './default-name.js';

/** @import { AppContext, Settings } from './app.js' */

/**
 * @param {Record<string, any>} values by option key
 * @param {{script: string, cwd: string}|null} program that was found
 * @param {Settings} settings
 * @param {AppContext} context
 * @param {ConfigValue} input where to report that the name is too long
 * @returns {{name: string|undefined, baseName: string|undefined}} `baseName`: before
 *   append_env_to_name
 */
export function resolveName(values, program, { inputs }, { directory, envName }, input) {
  const { script, cwd = directory } = program ?? {
    script: values.script && resolve(directory, values.script),
  };
  const baseName =
    inputs.has('name') || script === undefined ? values.name : defaultName(script, cwd);
  if (!values.append_env_to_name || envName === null || baseName === undefined) {
    return { name: baseName, baseName };
  }
  return { name: readName(`${baseName}-${envName}`, input), baseName };
}

/** @param {string} name @param {ConfigValue} input @returns {string|undefined} */
function readName(name, { path, source }) {
  return appName.read(new ConfigValue(name, path, source));
}
