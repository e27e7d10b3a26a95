/**
 * `depends_on`: the apps that it names must be in the same file, must not form a circle, and must exit
 * if they are waited for to do so.
 */
import { isObject } from '../../shared/checks.js';
import { nearest } from '../spelling.js';

/**
 * @import { Problem } from '../../errors/codes/config.js'
 * @import { ConfigValue } from '../file/config-value.js'
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
  // An app whose errors leave it without a name may be the one that is meant.
  if (named.length === apps.length) for (const app of apps) rejectUnknown(app, known);
  for (const app of apps) rejectEndless(app, known);
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

/** @param {App} app @param {Map<string, App>} known */
function rejectUnknown({ dependsOn, problems }, known) {
  for (const { name, problem } of itemsOf(dependsOn)) {
    if (known.has(name)) continue;
    const guess = nearest(name, known.keys());
    const hint = guess ? `; did you mean ${guess}?` : '';
    problems.push(problem(`no app in this file is called "${name}"${hint}`));
  }
}

/** @param {App} app @param {Map<string, App>} known */
function rejectEndless({ dependsOn, problems }, known) {
  for (const { name, condition, problem } of itemsOf(dependsOn)) {
    const { spec = null } = known.get(name) ?? {};
    if (spec?.onDemand) {
      problems.push(problem(`${name} runs at its own times, so no app can wait for it`));
    }
    if (condition !== 'exited' || spec === null) continue;
    if (!spec.autorestart || spec.stopExitCodes.includes(0)) continue;
    const settings = 'autorestart: false or stop_exit_codes: [0]';
    problems.push(problem(`${name} is started again whenever it exits; give it ${settings}`));
  }
}

/** @param {App[]} apps @param {Map<string, App>} known */
function rejectCircles(apps, known) {
  const visited = new Set();
  const visit = (/** @type {App} */ app, /** @type {App[]} */ path) => {
    visited.add(app);
    for (const { name: other, problem } of itemsOf(app.dependsOn)) {
      const dependency = known.get(other);
      if (!dependency) continue;
      const start = [...path, app].indexOf(dependency);
      if (start !== -1) {
        const circle = [...path, app].slice(start).concat(dependency);
        const names = circle.map(({ name }) => name).join(' → ');
        app.problems.push(problem(`the dependencies form a circle: ${names}`));
      } else if (!visited.has(dependency)) visit(dependency, [...path, app]);
    }
  };
  for (const app of apps) if (!visited.has(app)) visit(app, []);
}

/**
 * @param {ConfigValue|undefined} input
 * @returns {{name: string, condition: unknown, problem: (text: string) => Problem}[]} each with its place in the file
 */
function itemsOf(input) {
  if (input === undefined) return [];
  const { value } = input;
  if (typeof value === 'string') {
    return [{ name: value, condition: 'ready', problem: (text) => input.problem(text, 'value') }];
  }
  const part = isObject(value) ? 'key' : 'value';
  return Object.entries(value).map(([key, each]) => {
    const problem = (/** @type {string} */ text) =>
      input.child(part === 'key' ? key : Number(key)).problem(text, part);
    return part === 'key'
      ? { name: key, condition: each, problem }
      : { name: String(each), condition: 'ready', problem };
  });
}
