/** The names of apps: the given ones, or made from their scripts and then different within a file. */
import { basename, resolve, dirname } from 'node:path';
import { isLoader } from '../command/launchers.js';
import { ConfigValue } from '../file/config-value.js';
import { appName } from '../types/values.js';
import { defaultName, distinctName } from './default-name.js';

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
  const { path, source } = input;
  return { name: appName.read(new ConfigValue(`${baseName}-${envName}`, path, source)), baseName };
}

/** @param {Pick<Spec, 'script' | 'resolvedFrom'>} program @returns {string} that gives the app its name */
function namingScript({ script, resolvedFrom }) {
  if (resolvedFrom && resolvedFrom.lines.length > 0) return 'npm';
  const typed = resolvedFrom?.script ?? script;
  return isLoader(basename(typed)) ? script : typed;
}

/**
 * @typedef {object} NamedApp
 * @property {Spec | null} spec null: it has problems
 * @property {string | undefined} name
 * @property {string | undefined} baseName without the environment's
 * @property {boolean} isNamed the file says how it is called
 */

/**
 * Nobody wrote the names that were made from scripts, so they may change.
 * @template {NamedApp} App
 * @param {readonly App[]} apps of one file
 * @param {string} directory of the file; a script in it keeps the name of the project
 * @returns {App[]} in the same order; of those that share a name, the ones without a name of their own are named after
 *   their directories, and numbered if those are the same too
 */
export function giveDistinctNames(apps, directory) {
  const sharesName = (/** @type {App} */ { name, isNamed, spec }) =>
    !isNamed && spec !== null && apps.filter((app) => app.name === name).length > 1;
  const used = new Set(apps.filter((app) => !sharesName(app)).map(({ name }) => name));
  return apps.map((app) => {
    if (!sharesName(app)) return app;
    const named = freeName(app, directory, used);
    used.add(named.name);
    return named;
  });
}

/**
 * @template {NamedApp} App
 * @param {App} app
 * @param {string} directory
 * @param {ReadonlySet<string | undefined>} used
 */
function freeName(app, directory, used) {
  const spec = /** @type {Spec} */ (app.spec);
  const [name, base] = [app.name ?? '', app.baseName ?? ''];
  const environment = name.slice(base.length);
  const script = namingScript(spec);
  const place = script.includes('/') ? dirname(script) : spec.cwd;
  const first = place === directory ? base : (distinctName(script, place) ?? base);
  let baseName = first;
  for (let number = 2; used.has(baseName + environment); number += 1) {
    baseName = `${first}-${number}`;
  }
  const renamed = baseName + environment;
  return { ...app, name: renamed, baseName, spec: Object.freeze({ ...spec, name: renamed }) };
}
