/** The name of an app: the given one, or one made from its script. */
import { basename, extname } from 'node:path';
import { ConfigValue } from '../file/config-value.js';
import { appName } from '../types/values.js';

/** @import { Settings } from './app.js' */

/**
 * @param {Record<string, any>} values by option key
 * @param {{script: string}|null} program that was found
 * @param {Settings} settings
 * @param {string|null} envName
 * @param {ConfigValue} input where to report that no name can be made
 * @returns {{name: string|undefined, baseName: string|undefined}} `baseName`: before
 *   append_env_to_name
 */
export function resolveName(values, program, { inputs }, envName, input) {
  const script = program?.script ?? values.script;
  const baseName =
    inputs.has('name') || script === undefined ? values.name : nameFrom(script, input);
  if (!values.append_env_to_name || envName === null || baseName === undefined) {
    return { name: baseName, baseName };
  }
  return { name: readName(`${baseName}-${envName}`, input), baseName };
}

/** @param {string} script @param {ConfigValue} input */
function nameFrom(script, input) {
  const stem = basename(script, extname(script)).replace(/[^A-Za-z0-9._@-]/g, '-');
  return readName(stem.replace(/^[.-]+/, ''), input);
}

/** @param {string} name @param {ConfigValue} input @returns {string|undefined} */
function readName(name, { path, source }) {
  return appName.read(new ConfigValue(name, path, source));
}
