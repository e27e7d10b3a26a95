/** Runs what a command does to several apps: side by side, in the order of their dependencies. */
import { availableParallelism } from 'node:os';
import { NodeclusterError } from '../../errors/error.js';
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
 * At a time, for each core. A step mostly waits for `min_uptime`, which costs no CPU: a reload of
 * eight small apps on two cores takes 6.7 s with 1, 4.5 s with 2 and 2.7 s with 4. More would let
 * programs that load slowly miss their `listen_timeout`.
 */
const STEPS_PER_CORE = 4;

/**
 * A step that is refused does not stop the others.
 * @param {Daemon} daemon
 * @param {Step[]} steps
 * @param {Order} order
 * @returns {Promise<AppOutcome[]>} in the order of the steps
 */
export async function runSteps(daemon, steps, { dependencies, wait = true }) {
  const limited =
    dependencies === 'first' ? limit(STEPS_PER_CORE * availableParallelism()) : runAtOnce;
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

/**
 * @param {number} count
 * @returns {typeof runAtOnce} which runs as many tasks at a time, in the order in which they came
 */
function limit(count) {
  let free = count;
  /** @type {(() => void)[]} */
  const waiting = [];
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** @template T @param {() => Promise<T>} task */
function runAtOnce(task) {
  return task();
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
