/** Compares an ecosystem file with the apps that exist: the smallest action for each app. */
import { compareSpecs } from '../../config/compare-specs.js';

/** @import { Spec } from '../../config/spec.js' */

/**
 * @typedef {object} Known an app of the table
 * @property {string} name
 * @property {Spec} spec
 * @property {boolean} isDown
 * @property {boolean} hasGivenUp
 */

/**
 * @typedef {object} PlanStep
 * @property {string} app
 * @property {'start' | 'none' | 'configure' | 'scale' | 'reload' | 'restart' | 'delete'} action
 * @property {{key: string, from: unknown, to: unknown}[]} changes secrets are masked
 * @property {boolean} [pending] the action leaves the changes to a later reload
 * @property {Spec} spec the desired one
 */

/**
 * @typedef {object} ApplyOrder
 * @property {Spec[]} specs all of the file
 * @property {'start' | 'reload' | 'restart'} action start leaves running apps alone unless
 *   they have given up
 * @property {boolean} [prune] delete what came from this file and is no longer in it
 * @property {boolean} [updateEnv] take the environment of the shell again
 * @property {string[] | null} [only] names; null: all
 * @property {string | null} [file] its absolute path
 */

/** By what a change needs. @type {Record<string, PlanStep['action']>} */
const ACTION_FOR = {
  none: 'none',
  nothing: 'configure',
  scale: 'scale',
  reload: 'reload',
  restart: 'restart',
};

/**
 * @param {ApplyOrder} order
 * @param {readonly Known[]} known
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

/** @param {Spec} spec @param {PlanStep['action']} action @returns {PlanStep} */
function planStep(spec, action) {
  return { app: spec.name, action, changes: [], spec };
}

/**
 * @param {Known} app
 * @param {Spec} desired
 * @param {Pick<ApplyOrder, 'action' | 'updateEnv'>} order
 * @returns {PlanStep}
 */
export function stepFor(
  { name, spec, isDown, hasGivenUp },
  desired,
  { action, updateEnv = false },
) {
  const next = updateEnv ? desired : { ...desired, shellEnv: spec.shellEnv };
  const { needs, changes } = compareSpecs(spec, next);
  /** @param {PlanStep['action']} smallest */
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
  // Only new workers try again.
  return step(smallest === 'none' ? 'start' : 'reload');
}
