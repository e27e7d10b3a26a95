/** Compares an ecosystem file with the apps that exist: the smallest action for each app. */
import { compareSpecs } from '../../config/compare-specs.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { ApplyParams } from '../../protocol/methods.js'
 * @import { PlanAction, PlanEntry } from '../../protocol/shapes.js'
 * @import { App } from './app.js'
 */

/** @typedef {Pick<App, 'name' | 'spec' | 'isDown' | 'hasGivenUp'>} ExistingApp */
/** @typedef {PlanEntry & {spec: Spec}} PlanStep spec: the desired one */

/** The action for what a change needs. @type {Record<string, PlanAction>} */
const ACTION_FOR = {
  none: 'none',
  nothing: 'configure',
  scale: 'scale',
  reload: 'reload',
  restart: 'restart',
};

/**
 * @param {Omit<ApplyParams, 'specs'> & {specs: Spec[]}} order
 * @param {readonly ExistingApp[]} known
 * @returns {{steps: PlanStep[], unlisted: string[]}} unlisted: what prune would delete
 */
export function makePlan(order, known) {
  const { specs, prune = false, file = null } = order;
  const only = order.only ?? null;
  const selected = specs.filter(({ name }) => only === null || only.includes(name));
  const steps = selected.map((spec) => {
    const app = known.find(({ name }) => name === spec.name);
    return app ? stepFor(app, spec, order) : planStep(spec, 'start');
  });
  const listed = new Set(specs.map(({ name }) => name));
  const unlisted = known.filter(
    ({ name, spec }) =>
      file !== null && only === null && spec.configFile === file && !listed.has(name),
  );
  if (!prune) return { steps, unlisted: unlisted.map(({ name }) => name) };
  return {
    steps: [...steps, ...unlisted.map(({ spec }) => planStep(spec, 'delete'))],
    unlisted: [],
  };
}

/** @param {Spec} spec @param {PlanAction} action @returns {PlanStep} */
function planStep(spec, action) {
  return { app: spec.name, action, changes: [], spec };
}

/**
 * @param {ExistingApp} app
 * @param {Spec} desired
 * @param {Pick<ApplyParams, 'action' | 'updateEnv'>} order
 * @returns {PlanStep}
 */
export function stepFor(
  { name, spec, isDown, hasGivenUp },
  desired,
  { action, updateEnv = false },
) {
  const next = updateEnv ? desired : { ...desired, shellEnv: spec.shellEnv };
  const { needs, changes } = compareSpecs(spec, next);
  /** @param {PlanAction} smallest */
  const step = (smallest) => {
    const pending = changes.length > 0 && action === 'start' && smallest === 'none';
    return { app: name, action: smallest, changes, pending, spec: next };
  };
  if (isDown) return step('start');
  if (action === 'restart') return step('restart');
  if (action === 'start' && !hasGivenUp) return step('none');
  const smallest = ACTION_FOR[needs];
  const hasNewShell = JSON.stringify(next.shellEnv) !== JSON.stringify(spec.shellEnv);
  if (smallest === 'restart') return step('restart');
  if (hasNewShell) return step('reload');
  if (!hasGivenUp) return step(smallest);
  // A worker that has given up runs again only if it is started or replaced.
  return step(smallest === 'none' ? 'start' : 'reload');
}
