/** What a command with an ecosystem file does to each app. Only this file decides that. */
import { shellEnvFor } from '../../config/resolve/environment.js';
import { changedVariables } from '../../shared/shell-variables.js';
import { compareSpecs } from '../../config/compare-specs.js';
import { isDone } from './dependencies.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { ApplyParams } from '../../protocol/methods.js'
 * @import { PlanAction, PlanEntry } from '../../protocol/shapes.js'
 * @import { App } from './app.js'
 */

/**
 * @typedef {PlanEntry & {spec: Spec}} PlanStep spec: the desired one
 * @typedef {Exclude<PlanAction, 'delete'>} ChangeAction
 */

/**
 * @param {Omit<ApplyParams, 'specs'> & {specs: Spec[]}} order @param {readonly App[]} known
 * @returns {{steps: PlanStep[], unlisted: string[]}} unlisted: what prune would delete
 */
export function makePlan(order, known) {
  const { specs, prune = false, only = null } = order;
  const selected = specs.filter(({ name }) => only === null || only.includes(name));
  const steps = selected.map((spec) => {
    const app = known.find(({ name }) => name === spec.name);
    const isStart = order.action === 'start';
    return app ? stepFor(app, spec, { ...order, isStart }, known) : planStep(spec, 'start');
  });
  const unlisted = unlistedApps(order, known);
  if (!prune) return { steps, unlisted: unlisted.map(({ name }) => name) };
  const deletions = unlisted.map(({ spec }) => planStep(spec, 'delete'));
  return { steps: [...steps, ...deletions], unlisted: [] };
}

/**
 * Apps that came from its file and are no longer in it.
 * @template {Pick<App, 'name' | 'spec'>} A
 * @param {Pick<ApplyParams, 'file' | 'only'> & {specs: {name?: string}[]}} order @param {readonly A[]} known
 */
export function unlistedApps({ specs, file = null, only = null }, known) {
  const listed = new Set(specs.map(({ name }) => name));
  const isUnlisted = (/** @type {A} */ { name, spec }) =>
    spec.configFile === file && !listed.has(name);
  return file === null || only !== null ? [] : known.filter(isUnlisted);
}

/** @param {Spec} spec @param {PlanAction} action @returns {PlanStep} */
function planStep(spec, action) {
  return { app: spec.name, action, changes: [], spec };
}

/**
 * @param {App} app
 * @param {Spec} desired
 * @param {ShellOrder & Pick<ApplyParams, 'action'>} order
 * @param {readonly App[]} known
 */
export function stepFor(app, desired, order, known) {
  const { name, spec, isDown, isRunning, hasGivenUp } = app;
  const { action } = order;
  const shellEnv = shellFor(app, desired, order);
  const next = { ...desired, shellEnv };
  // What starts takes all variables of the shell, which are no change of its settings.
  const { needs, changes } = compareSpecs(isDown ? { ...spec, shellEnv } : spec, next);
  /** @param {ChangeAction} smallest */
  const step = (smallest) => {
    const pending = changes.length > 0 && action === 'start' && smallest === 'none';
    return { app: name, action: smallest, changes, pending, spec: next };
  };
  if (isDown) return step('start');
  // What makes an app run on demand, or the reverse, ends its process.
  const smallest = spec.onDemand === desired.onDemand ? needs : 'restart';
  if (action === 'restart') return step('restart');
  if (action === 'start' && isRunning && !hasGivenUp) return step('none');
  if (smallest === 'restart') return step('restart');
  const hasNewShell = JSON.stringify(next.shellEnv) !== JSON.stringify(spec.shellEnv);
  if (action === 'reload' || hasNewShell) return step('reload');
  return step(toRun(app, action === 'apply' && isDone(known, app), smallest));
}

/** @param {App} app @param {boolean} isFinished @param {ChangeAction} smallest @returns {ChangeAction} */
function toRun({ hasGivenUp, isInBackoff }, isFinished, smallest) {
  if (smallest === 'none' && isInBackoff) return 'start';
  // A worker that has given up runs again only if it is started or replaced; work that is done need not be done again.
  if (!hasGivenUp || isFinished) return smallest;
  return smallest === 'none' ? 'start' : 'reload';
}

/**
 * @typedef {Pick<ApplyParams, 'updateEnv' | 'dropEnv'> & {isStart?: boolean}} ShellOrder isStart: what does not run takes the variables
 *   of this shell, as the program of a command line does
 */

/** @param {App} app @param {Spec} desired @param {ShellOrder} order */
function shellFor(app, desired, { updateEnv, dropEnv = [], isStart }) {
  const { spec, isDown, isRunning, hasGivenUp } = app;
  const hasNew = () => shellChanges(spec, desired).length > 0;
  const isFresh = isStart && (isDown || ((hasGivenUp || !isRunning) && hasNew()));
  const own = Object.entries(spec.shellEnv).filter(([name]) => !dropEnv.includes(name));
  const kept = { ...Object.fromEntries(own), ...(updateEnv && desired.shellEnv) };
  return shellEnvFor(isFresh ? desired.shellEnv : kept, desired.uid);
}

/** Variables of the shell that `env` does not set. @param {Spec} before @param {Spec} after */
export function shellChanges({ shellEnv }, { shellEnv: given, env, uid }) {
  const changed = changedVariables(shellEnv, shellEnvFor(given, uid));
  return changed.filter((name) => !Object.hasOwn(env, name));
}
