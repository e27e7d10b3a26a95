/** `depends_on`: the apps that it names must be in the same file, and must not form a circle. */
import { nearest } from '../nearest.js';

/**
 * @import { Problem } from '../../errors/codes/config.js'
 * @import { ConfigValue } from '../file/config-value.js'
 * @import { Spec } from '../spec.js'
 */

/**
 * @typedef {object} App
 * @property {string|undefined} name
 * @property {string|undefined} baseName the name in the file, without that of the environment
 * @property {ConfigValue|undefined} dependsOn
 * @property {Problem[]} problems
 */

/**
 * @param {App[]} apps of one file
 * @returns {Map<string, string>} the names of the apps by what `depends_on` may call them
 */
export function checkDependencies(apps) {
  const named = apps.filter(({ name }) => name !== undefined);
  /** @type {Map<string, App>} */
  const known = new Map();
  for (const app of named) {
    for (const name of [app.name, app.baseName]) if (name) known.set(name, app);
  }
  // An app whose errors leave it without a name may be the one that is meant.
  if (named.length === apps.length) for (const app of apps) rejectUnknown(app, known);
  rejectCircles(apps, known);
  return new Map([...known].map(([name, app]) => [name, app.name ?? name]));
}

/**
 * @param {Spec} spec
 * @param {Map<string, string>} names
 * @returns {Spec} whose dependencies have the names of their apps
 */
export function withDependencies(spec, names) {
  if (spec.dependsOn.length === 0) return spec;
  const dependsOn = spec.dependsOn.map((name) => names.get(name) ?? name);
  return Object.freeze({ ...spec, dependsOn });
}

/** @param {App} app @param {Map<string, App>} known */
function rejectUnknown({ dependsOn, problems }, known) {
  for (const item of itemsOf(dependsOn)) {
    if (known.has(item.value)) continue;
    const guess = nearest(String(item.value), known.keys());
    const hint = guess ? `; did you mean ${guess}?` : '';
    problems.push(item.problem(`no app in this file is called "${item.value}"${hint}`, 'value'));
  }
}

/** @param {App[]} apps @param {Map<string, App>} known */
function rejectCircles(apps, known) {
  const visited = new Set();
  const visit = (/** @type {App} */ app, /** @type {App[]} */ path) => {
    visited.add(app);
    for (const item of itemsOf(app.dependsOn)) {
      const dependency = known.get(item.value);
      if (!dependency) continue;
      const start = [...path, app].indexOf(dependency);
      if (start !== -1) {
        const circle = [...path, app].slice(start).concat(dependency);
        const names = circle.map(({ name }) => name).join(' → ');
        app.problems.push(item.problem(`the dependencies form a circle: ${names}`, 'value'));
      } else if (!visited.has(dependency)) visit(dependency, [...path, app]);
    }
  };
  for (const app of apps) if (!visited.has(app)) visit(app, []);
}

/** @param {ConfigValue|undefined} input @returns {ConfigValue[]} */
function itemsOf(input) {
  if (input === undefined) return [];
  if (!Array.isArray(input.value)) return [input];
  return input.value.map((_, index) => input.child(index));
}
