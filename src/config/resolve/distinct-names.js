/** Apps of one file whose names were made from their scripts and are the same: nobody wrote these names. */
import { dirname } from 'node:path';
import { distinctName } from './default-name.js';
import { namingScript } from './name.js';

/** @import { Spec } from '../spec.js' */

/**
 * @typedef {object} NamedApp
 * @property {Spec | null} spec null: it has problems
 * @property {string | undefined} name
 * @property {string | undefined} baseName without the environment's
 * @property {boolean} isNamed the file says how it is called
 */

/**
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
 * @returns {App}
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
