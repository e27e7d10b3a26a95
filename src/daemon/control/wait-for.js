/** What a step of a command waits for: the end of another step, or a condition of `depends_on`. */
import { completionOf, desiredPids, untilExited, untilStarted } from '../apps/dependencies.js';
import { acceptedOutcome, summarize } from '../apps/outcome.js';

/**
 * @import { Condition } from '../../config/spec.js'
 * @import { AppOutcome } from '../../protocol/shapes.js'
 * @import { App } from '../apps/app.js'
 * @import { AppTable } from '../apps/table.js'
 */

/**
 * @param {AppTable} table
 * @param {{name: string, action: string}} other the step that has begun
 * @param {Condition} condition
 * @param {Promise<AppOutcome>} done its outcome
 * @param {() => void} onWait its step is done, and it still has to exit
 * @returns {Promise<AppOutcome>} when the condition is fulfilled, or has failed
 */
export function outcomeFor(table, other, condition, done, onWait) {
  if (condition === 'started') return startedOutcome(table, other, done);
  return condition === 'exited' ? exitedOutcome(table, done, onWait) : done;
}

/**
 * @param {AppTable} table
 * @param {Readonly<Record<string, Condition>>} dependsOn
 * @param {readonly {name: string}[]} steps of the command
 * @returns {string[]} names of apps that are not what they should be, and that no step starts
 */
export function missingApps(table, dependsOn, steps) {
  const others = Object.entries(dependsOn).filter(
    ([name]) => !steps.some((step) => step.name === name),
  );
  return others
    .filter(([name, condition]) => !isFulfilled(table.get(name), condition))
    .map(([name]) => name);
}

/** @param {App | undefined} app @param {Condition} condition */
function isFulfilled(app, condition) {
  if (!app) return false;
  if (condition === 'exited') return completionOf(app).verdict === 'exited';
  return condition === 'ready' ? summarize(app).online.length > 0 : desiredPids(app).size > 0;
}

/**
 * @param {AppTable} table
 * @param {{name: string, action: string}} other
 * @param {Promise<AppOutcome>} done
 * @returns {Promise<AppOutcome>} when its processes exist, or its step is over before
 */
async function startedOutcome(table, { name, action }, done) {
  // In a reload, processes exist all along.
  const before = action === 'restart' ? desiredPids(table.get(name)) : new Set();
  let isOver = false;
  const ended = done.finally(() => (isOver = true));
  const started = untilStarted(
    () => table.get(name),
    before,
    () => isOver,
  );
  return Promise.race([ended, started.then(() => acceptedOutcome(name, action))]);
}

/** @param {AppTable} table @param {Promise<AppOutcome>} done @param {() => void} onWait */
async function exitedOutcome(table, done, onWait) {
  const outcome = await done;
  if (!outcome.ok) return outcome;
  const find = () => table.get(outcome.name);
  if (completionOf(find()).verdict === 'wait') onWait();
  const completion = await untilExited(find);
  if (completion.verdict !== 'failed') return outcome;
  const { slot, reason } = completion;
  const id = slot === null ? null : (find()?.ids[slot] ?? null);
  return { ...outcome, ok: false, failed: [{ id, slot, reason, lastLines: [] }] };
}
