/** The environment of an app, from its files and settings. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isOtherUser } from '../../shared/home.js';
import { parseVariables, whyReserved } from '../../shared/env-lines.js';
import { variables } from '../types/lists.js';
import { changedVariables } from '../../shared/shell-variables.js';
import { readSmallFile } from '../../shared/files/small-file.js';

/**
 * @import { ConfigValue } from '../file/config-value.js'
 * @import { AppContext, Settings, Step } from './app.js'
 */

/** Env files, overridden by port, env, then env_<name>. @param {Settings} settings @param {AppContext} context @returns {Record<string, string>} */
export function layerEnvironment(
  { environments, values, inputOf },
  { directory, envName, report },
) {
  const files = (values.env_file ?? []).map((/** @type {string|undefined} */ file) => {
    const loaded = file === undefined ? { values: {} } : loadEnvFile(resolve(directory, file));
    if ('values' in loaded) return loaded.values;
    return inputOf('env_file').report(loaded.fault);
  });
  // All are read, so that errors in those that are not selected are found too.
  const named = new Map([...environments].map(([name, input]) => [name, variables.read(input)]));
  const port = typeof values.port === 'number' ? { PORT: String(values.port) } : null;
  const selected = named.get(envName ?? '');
  const { PORT = port?.PORT } = values.env ?? {};
  if (port && PORT !== port.PORT && selected?.PORT === undefined) {
    report.warn(inputOf('port'), `env sets PORT to ${PORT}, which is used, not ${port.PORT}`);
  }
  if (values.env) warnOfReferences(values.env, inputOf('env'), report);
  return Object.assign({}, ...files, port, values.env, selected);
}

/** @param {Record<string, string>} env @param {ConfigValue} input of it @param {AppContext['report']} report */
function warnOfReferences(env, input, report) {
  for (const [name, value] of Object.entries(env)) {
    const isReference = /^\$\{\w+\}$/.test(value);
    if (isReference) report.warn(input.child(name), `${value} is not expanded`);
  }
}

/** @type {Step} */
export function checkIncrementVar({ incrementVar, env, shellEnv }, { inputOf }) {
  if (incrementVar === null) return;
  const value = { ...shellEnv, ...env }[incrementVar];
  if (/^\d+$/.test(value ?? '')) return;
  const found = value === undefined ? 'it is not set' : `it is ${JSON.stringify(value)}`;
  inputOf('increment_var').reject('a variable that env sets to a whole number', found);
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

const MAX_NAMES = 8;

/** @type {Step} */
export function warnOfDropped({ uid, shellEnv, env }, { inputOf }, { report, ...context }) {
  if (!isOtherUser(uid) || context.runsElsewhere) return;
  const dropped = changedVariables(shellEnv, context.shellEnv).filter((name) => !(name in env));
  if (dropped.length === 0) return;
  const rest = dropped.length > MAX_NAMES ? ` and ${dropped.length - MAX_NAMES} more` : '';
  const names = `${dropped.slice(0, MAX_NAMES).join(', ')}${rest}`;
  const how = context.setBy === 'flag' ? `--set-env ${dropped[0]}=…` : 'set it in env';
  report.warn(inputOf('uid'), `drops variables of this shell: ${names}; to pass one: ${how}`);
}

const MAX_BYTES = 1024 * 1024;

/** @param {string} path @returns {{values: Record<string, string>} | {fault: string}} */
export function loadEnvFile(path) {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return { fault: `there is no ${path}` };
    if (stats.isDirectory()) return { fault: `${path} is a directory` };
    const parsed = parseVariables(readSmallFile(path, MAX_BYTES), `${path}:`);
    const [reserved] = Object.keys('values' in parsed ? parsed.values : {}).flatMap(
      (name) => whyReserved(name) ?? [],
    );
    return reserved ? { fault: `${path}: ${reserved}` } : parsed;
  } catch (error) {
    return { fault: `could not read ${path}: ${/** @type {Error} */ (error).message}` };
  }
}
