/** `depends_on`: the apps must be in the same file, form no circle, and exit if they are waited for to do so. */
import { isObject } from '../../shared/checks.js';
import { nearest } from '../spelling.js';

/**
 * @import { Spec } from '../spec.js'
 * @import { App } from './apps.js'
 */

/** @param {App[]} apps of one file @returns {Map<string, string>} their names by what `depends_on` may call them */
export function checkDependencies(apps) {
  const named = apps.filter(({ name }) => name !== undefined);
  /** @type {Map<string, App>} */
  const known = new Map();
  for (const app of named) {
    for (const name of [app.name, app.baseName]) if (name) known.set(name, app);
  }
  for (const app of apps) {
    for (const [name, condition] of Object.entries(app.dependsOn)) {
      const dependency = known.get(name);
      if (dependency) rejectEndless(app, name, condition, dependency.spec);
      // An app whose errors leave it without a name may be the one that is meant.
      else if (named.length === apps.length) {
        const guess = nearest(name, known.keys());
        const hint = guess ? `; did you mean ${guess}?` : '';
        reject(app, name, `no app in this file is called "${name}"${hint}`);
      }
    }
  }
  rejectCircles(apps, known);
  return new Map([...known].map(([name, app]) => [name, app.name ?? name]));
}

/** @param {Spec} spec @param {Map<string, string>} names by what `depends_on` may call the apps */
export function withDependencies(spec, names) {
  const items = Object.entries(spec.dependsOn);
  if (items.length === 0) return spec;
  const named = items.map(([name, condition]) => [names.get(name) ?? name, condition]);
  return Object.freeze({ ...spec, dependsOn: Object.freeze(Object.fromEntries(named)) });
}

/** Where the file names that dependency. @param {App} app @param {string} name @param {string} text */
function reject({ inputOf, problems }, name, text) {
  const input = inputOf('depends_on');
  const { value } = input;
  const index = Array.isArray(value) ? value.findIndex((each) => String(each) === name) : -1;
  if (index !== -1) problems.push(input.child(index).problem(text, 'value'));
  else if (isObject(value)) problems.push(input.child(name).problem(text, 'key'));
  else problems.push(input.problem(text, 'value'));
}

/**
 * @param {App} app
 * @param {string} name
 * @param {unknown} condition
 * @param {Spec | null} spec of that name; null: it has errors
 */
function rejectEndless(app, name, condition, spec) {
  if (spec?.onDemand) reject(app, name, `${name} runs at its own times, so no app can wait for it`);
  if (condition !== 'exited' || spec === null) return;
  if (!spec.autorestart || spec.stopExitCodes.includes(0)) return;
  const settings = 'autorestart: false or stop_exit_codes: [0]';
  reject(app, name, `${name} is started again whenever it exits; give it ${settings}`);
}

/** @param {App[]} apps @param {Map<string, App>} known */
function rejectCircles(apps, known) {
  const visited = new Set();
  const visit = (/** @type {App} */ app, /** @type {App[]} */ path) => {
    visited.add(app);
    for (const name of Object.keys(app.dependsOn)) {
      const dependency = known.get(name);
      if (!dependency) continue;
      const start = [...path, app].indexOf(dependency);
      if (start !== -1) {
        const circle = [...path, app].slice(start).concat(dependency);
        const names = circle.map((each) => each.name).join(' → ');
        reject(app, name, `the dependencies form a circle: ${names}`);
      } else if (!visited.has(dependency)) visit(dependency, [...path, app]);
    }
  };
  for (const app of apps) if (!visited.has(app)) visit(app, []);
}
