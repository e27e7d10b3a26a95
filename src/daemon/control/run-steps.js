/** Runs what a command does to several apps: side by side, in the order of their dependencies. */
import { NodeclusterError } from '../../errors/error.js';
import { limitPerCore, limitTo } from '../apps/command-queue.js';
import {
  completionOf,
  desiredPids,
  runInOrder,
  untilExited,
  untilStarted,
} from '../apps/dependencies.js';
import {
  acceptedOutcome,
  appOutcome,
  failedOutcome,
  summarize,
  withLaterExits,
} from '../apps/outcome.js';

/**
 * @import { Condition } from '../../config/spec.js'
 * @import { AppOutcome } from '../../protocol/shapes.js'
 * @import { App } from '../apps/app.js'
 * @import { AppTable } from '../apps/table.js'
 * @import { Daemon } from '../daemon.js'
 * @import { SendProgress } from './run-command.js'
 */

/**
 * @typedef {object} Step what a command does to one app
 * @property {string} name of the app
 * @property {string} action
 * @property {Readonly<Record<string, Condition>>} dependsOn by the name of the app
 * @property {() => Promise<AppOutcome>} run
 *
 * @typedef {object} Order
 * @property {'first' | 'last'} dependencies 'first': what depends on an app waits until that is what it
 *   must be; 'last': an app waits for the steps of those that depend on it, however they end
 * @property {SendProgress} [report]
 * @property {boolean} [wait] false: resolves when the first steps have begun
 */

/** Actions that leave an app running, perhaps without one that it needs. */
const STARTS = ['start', 'resume', 'restart'];

/**
 * A step that is refused does not stop the others.
 * @param {Daemon} daemon
 * @param {Step[]} steps
 * @param {Order} order
 * @returns {Promise<AppOutcome[]>} in the order of the steps
 */
export async function runSteps(daemon, steps, { dependencies, report = () => {}, wait = true }) {
  const isFirst = dependencies === 'first';
  const limited = isFirst ? limitPerCore() : limitTo(Infinity);
  const work = async (/** @type {Step} */ step, /** @type {AppOutcome[]} */ earlier) => {
    const failed = isFirst ? earlier.find(({ ok }) => !ok) : null;
    if (failed) return refuseAfter(daemon, step, failed);
    if (isFirst) reportMissing(daemon, step, steps, report);
    return limited(() => step.run().catch((thrown) => refuse(daemon, step, thrown)));
  };
  daemon.changes += 1;
  const all = runInOrder(steps, dependencies, work, (other, condition, done, { name: app }) => {
    if (!isFirst) return done;
    const reason = `until ${other.name} has exited`;
    const onWait = () => report({ app, kind: 'waiting', reason });
    return outcomeFor(daemon.table, other, condition, done, onWait);
  });
  const done = () => void (daemon.changes -= 1);
  all.then(done, done);
  if (!wait) return steps.map(({ name, action }) => acceptedOutcome(name, action));
  return (await all).map((outcome) => {
    const app = daemon.table.get(outcome.name);
    return isFirst && app ? withLaterExits(outcome, app) : outcome;
  });
}

/**
 * A command that names one app starts only that one, as its user expects.
 * @param {Daemon} daemon @param {Step} step @param {Step[]} steps @param {SendProgress} report
 */
function reportMissing({ table, log }, { name: app, action, dependsOn }, steps, report) {
  if (!STARTS.includes(action)) return;
  for (const [missing, condition] of Object.entries(dependsOn)) {
    if (steps.some((step) => step.name === missing)) continue;
    if (isFulfilled(table.get(missing), condition)) continue;
    const reason = `without ${missing}, which it depends on and which does not run`;
    log.warn('dependency.missing', { app, dependency: missing });
    report({ app, kind: 'starting', reason });
  }
}

/** The failure behind a step that was not run. @type {WeakMap<AppOutcome, {name: string, reason: string | undefined}>} */
const causes = new WeakMap();

/** @param {Daemon} daemon @param {Step} step @param {AppOutcome} failed of an app that it depends on */
function refuseAfter(daemon, step, failed) {
  const cause = causes.get(failed) ?? { name: failed.name, reason: failed.failed[0]?.reason };
  const { name: dependency, reason } = cause;
  const through = dependency === failed.name ? null : failed.name;
  const data = { app: step.name, dependency, through, reason };
  const outcome = refuse(daemon, step, new NodeclusterError('E_DEPENDENCY_FAILED', data));
  causes.set(outcome, cause);
  return outcome;
}

/** @param {Daemon} daemon @param {Step} step @param {unknown} thrown */
function refuse({ log }, { name, action }, thrown) {
  const { message: reason } = NodeclusterError.from(thrown);
  log.error('action.refused', { app: name, action, reason });
  return appOutcome(name, action, failedOutcome(thrown), {});
}

/**
 * @param {AppTable} table
 * @param {{name: string, action: string}} other the step that has begun
 * @param {Condition} condition
 * @param {Promise<AppOutcome>} done its outcome
 * @param {() => void} onWait its step is done, and it still has to exit
 * @returns {Promise<AppOutcome>} when the condition is fulfilled, or has failed
 */
async function outcomeFor(table, { name, action }, condition, done, onWait) {
  const find = () => table.get(name);
  if (condition === 'started') {
    // In a reload, processes exist all along.
    const before = action === 'restart' ? desiredPids(find()) : new Set();
    return (await untilStarted(find, before, done)) ?? acceptedOutcome(name, action);
  }
  const outcome = await done;
  if (condition !== 'exited' || !outcome.ok) return outcome;
  if (completionOf(find()).verdict === 'wait') onWait();
  const completion = await untilExited(find);
  if (completion.verdict !== 'failed') return outcome;
  const { slot, reason } = completion;
  const id = slot === null ? null : (find()?.ids[slot] ?? null);
  return { ...outcome, ok: false, failed: [{ id, slot, reason, lastLines: [] }] };
}

/** @param {App | undefined} app @param {Condition} condition */
function isFulfilled(app, condition) {
  if (!app) return false;
  if (condition === 'exited') return completionOf(app).verdict === 'exited';
  return condition === 'ready' ? summarize(app).online.length > 0 : desiredPids(app).size > 0;
}
