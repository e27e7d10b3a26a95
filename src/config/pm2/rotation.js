/** The settings of the module pm2-logrotate as log_rotate. */
import { ConfigValue, sourceWithoutFile } from '../file/config-value.js';
import { rotation } from '../types/logs.js';

/** @import { Pm2Process } from './list.js' */

const MODULE = 'pm2-logrotate';

/**
 * PM2 passes a module its settings as JSON, in a variable of the name of the module.
 * @param {Pm2Process[]} modules
 * @returns {Record<string, unknown>|null} null: none that can be carried over
 */
export function rotationOf(modules) {
  const settings = parse(modules.find(({ name }) => name === MODULE)?.env[MODULE]);
  const { max_size, retain, compress } = settings;
  const given = [
    ['max_size', max_size],
    ['keep', /^\d+$/.test(retain) ? Number(retain) : undefined],
    ['compress', compress === undefined ? undefined : String(compress) === 'true'],
  ].filter(([key, value]) => value !== undefined && isValid({ [key]: value }));
  return given.length > 0 ? Object.fromEntries(given) : null;
}

/** @param {unknown} text @returns {Record<string, any>} */
function parse(text) {
  try {
    return Object(JSON.parse(String(text)));
  } catch {
    return {};
  }
}

/** @param {Record<string, unknown>} value */
function isValid(value) {
  const source = sourceWithoutFile(String);
  rotation.read(new ConfigValue(value, [], source));
  return source.problems.length === 0;
}
