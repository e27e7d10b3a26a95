/** Runs what a command does to several apps: side by side, in the order of their dependencies. */
import { NodeclusterError } from '../../errors/error.js';
import { limitPerCore, runAtOnce } from '../apps/at-once.js';
import { runInOrder } from '../apps/dependencies.js';
import { acceptedOutcome, appOutcome, failedOutcome, withLaterCrashes } from '../apps/outcome.js';

/**
 * @import { AppOutcome } from '../../protocol/shapes.js'
 * @import { Daemon } from '../daemon.js'
 */

/**
 * @typedef {object} Step what a command does to one app
 * @property {string} name of the app
 * @property {string} action
 * @property {readonly string[]} dependsOn names of apps
 * @property {() => Promise<AppOutcome>} run
 *
 * @typedef {object} Order
 * @property {'first' | 'last'} dependencies 'first': what depends on an app waits until its step has
 *   succeeded; 'last': an app waits for the steps of those that depend on it, however they end
 * @property {boolean} [wait] false: resolves when the first steps have begun
 */

/**
 * A step that is refused does not stop the others.
 * @param {Daemon} daemon
 * @param {Step[]} steps
 * @param {Order} order
 * @returns {Promise<AppOutcome[]>} in the order of the steps
 */
export async function runSteps(daemon, steps, { dependencies, wait = true }) {
  const limited = dependencies === 'first' ? limitPerCore() : runAtOnce;
  const all = runInOrder(steps, dependencies, async (step, /** @type {AppOutcome[]} */ earlier) => {
    const failed = dependencies === 'first' ? earlier.find(({ ok }) => !ok) : null;
    if (failed) return refusedOutcome(daemon, step, dependencyError(step, failed));
    return limited(() => step.run().catch((thrown) => refusedOutcome(daemon, step, thrown)));
  });
  if (!wait) return steps.map(({ name, action }) => acceptedOutcome(name, action));
  return (await all).map((outcome) => {
    const app = daemon.table.get(outcome.name);
    return dependencies === 'first' && app ? withLaterCrashes(outcome, app) : outcome;
  });
}

/** @param {Step} step @param {AppOutcome} failed */
function dependencyError({ name }, failed) {
  return new NodeclusterError('E_DEPENDENCY_FAILED', { app: name, dependency: failed.name });
}

/** @param {Daemon} daemon @param {Step} step @param {unknown} thrown */
function refusedOutcome({ log }, { name, action }, thrown) {
  const { message: reason } = NodeclusterError.from(thrown);
  log.error('action.refused', { app: name, action, reason });
  return appOutcome(name, action, failedOutcome(thrown), {});
}
