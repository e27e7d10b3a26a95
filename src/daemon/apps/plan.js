/** What an ecosystem file asks for against what there is: the smallest action for each app. */
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
 * @property {boolean} [pending] the changes wait for a reload: this action leaves them out
 * @property {Spec} spec what the app shall be
 */

/**
 * @typedef {object} ApplyOrder
 * @property {Spec[]} specs all of the file
 * @property {'start' | 'reload' | 'restart'} action start leaves running apps as they are, but
 *   not those that have given up
 * @property {boolean} [prune] delete what came from this file and is no longer in it
 * @property {boolean} [updateEnv] take the environment of the shell again
 * @property {string[] | null} [only] names; null: all
 * @property {string | null} [file] its absolute path
 */

/** @type {Record<string, PlanStep['action']>} */
const SMALLEST = {
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
  const wanted = specs.filter(({ name }) => only === null || only.includes(name));
  const steps = wanted.map((spec) => {
    const app = known.find(({ name }) => name === spec.name);
    return app ? stepFor(app, spec, order) : newStep(spec);
  });
  const listed = new Set(specs.map(({ name }) => name));
  const isLeftOver = (/** @type {Known} */ { name, spec }) =>
    file !== null && only === null && spec.configFile === file && !listed.has(name);
  const leftOver = known.filter(isLeftOver);
  if (!prune) return { steps, unlisted: leftOver.map(({ name }) => name) };
  return { steps: [...steps, ...leftOver.map(deletion)], unlisted: [] };
}

/**
 * @param {Spec} spec
 * @returns {PlanStep}
 */
function newStep(spec) {
  return { app: spec.name, action: 'start', changes: [], spec };
}

/**
 * @param {Known} app
 * @returns {PlanStep}
 */
function deletion({ name, spec }) {
  return { app: name, action: 'delete', changes: [], spec };
}

/**
 * @param {Known} app
 * @param {Spec} wanted
 * @param {Pick<ApplyOrder, 'action' | 'updateEnv'>} order
 * @returns {PlanStep}
 */
export function stepFor({ name, spec, isDown, hasGivenUp }, wanted, { action, updateEnv = false }) {
  const next = updateEnv ? wanted : { ...wanted, shellEnv: spec.shellEnv };
  const { needs, changes } = compareSpecs(spec, next);
  /** @param {PlanStep['action']} chosen */
  const step = (chosen) => {
    const pending = changes.length > 0 && action === 'start' && chosen === 'none';
    return { app: name, action: chosen, changes, pending, spec: next };
  };
  if (isDown) return step('start');
  if (action === 'restart') return step('restart');
  if (action === 'start' && !hasGivenUp) return step('none');
  const smallest = SMALLEST[needs];
  const hasNewShell = JSON.stringify(next.shellEnv) !== JSON.stringify(spec.shellEnv);
  if (smallest === 'restart') return step('restart');
  if (hasNewShell) return step('reload');
  if (!hasGivenUp) return step(smallest);
  // Only new workers try again.
  return step(smallest === 'none' ? 'start' : 'reload');
}
