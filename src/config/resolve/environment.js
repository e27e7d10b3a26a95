/** The environment of an app, from its files and settings. */
import { resolve } from 'node:path';
import { isOtherUser } from '../../shared/home.js';
import { parseVariables, whyReserved } from '../../shared/env-lines.js';
import { variables } from '../types/lists.js';
import { readSmallFile } from '../../shared/files/small-file.js';

/** @import { AppContext, Settings } from './app.js' */

/** Env files, overridden by port, env, then env_<name>. @param {Settings} settings @param {AppContext} context @returns {Record<string, string>} */
export function layerEnvironment({ environments, values, inputOf }, { directory, envName }) {
  const files = (values.env_file ?? []).map((/** @type {string|undefined} */ file) => {
    const loaded = file === undefined ? { values: {} } : loadEnvFile(resolve(directory, file));
    if ('values' in loaded) return loaded.values;
    return inputOf('env_file').report(loaded.fault);
  });
  // All are read, so that errors in those that are not selected are found too.
  const named = new Map([...environments].map(([name, input]) => [name, variables.read(input)]));
  const port = typeof values.port === 'number' ? { PORT: String(values.port) } : null;
  return Object.assign({}, ...files, port, values.env, named.get(envName ?? ''));
}

/** @param {Record<string, string|undefined>} env */
export function definedOnly(env) {
  const pairs = Object.entries(env).filter(([, value]) => value !== undefined);
  return /** @type {Record<string, string>} */ (Object.fromEntries(pairs));
}

/** What an app of another user gets of the shell: nothing that could be a secret of root. */
const FOR_OTHER_USERS = /^(LANG|LC_[A-Z]+|TZ|NODE_ENV)$/;

/** @param {Record<string, string>} shellEnv of the command @param {number | null} uid of the app */
export function shellEnvFor(shellEnv, uid) {
  if (!isOtherUser(uid)) return shellEnv;
  const passed = Object.entries(shellEnv).filter(([name]) => FOR_OTHER_USERS.test(name));
  return Object.fromEntries(passed);
}

const MAX_BYTES = 1024 * 1024;

/** @param {string} path @returns {{values: Record<string, string>} | {fault: string}} */
export function loadEnvFile(path) {
  try {
    const parsed = parseVariables(readSmallFile(path, MAX_BYTES), `${path}:`);
    if ('fault' in parsed) return parsed;
    const reserved = Object.keys(parsed.values).map(whyReserved).find(Boolean);
    return reserved ? { fault: `${path}: ${reserved}` } : parsed;
  } catch (error) {
    // Node's message ends with the path.
    const [reason] = /** @type {Error} */ (error).message.split(', ');
    return { fault: `could not read ${path}: ${reason}` };
  }
}
