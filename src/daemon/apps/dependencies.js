/** The order in which a command works on apps that depend on each other (`depends_on`), and what one waits for. */
import { poll } from '../../shared/deadline.js';
import { NOT_ONLINE, summarize } from './outcome.js';

/**
 * @import { Condition } from '../../config/spec.js'
 * @import { Reason, SlotState } from '../../protocol/shapes.js'
 * @import { App } from './app.js'
 * @import { AppTable } from './table.js'
 */

/**
 * @typedef {{name: string, dependsOn: Readonly<Record<string, Condition>>}} Dependent
 * @typedef {{verdict: 'exited' | 'wait'} | {verdict: 'failed', slot: number | null, reason: Reason}} Completion slot null:
 *   the app as a whole
 */

/**
 * @template {Dependent} Item
 * @template Result
 * @param {readonly Item[]} items
 * @param {'first' | 'last'} dependencies whether items come after those that they depend on, or before
 * @param {(item: Item, earlier: Result[]) => Promise<Result>} work earlier: what came of those
 *   that this item comes after
 * @param {(other: Item, condition: Condition, done: Promise<Result>, item: Item) => Promise<Result>}
 *   [waitFor] resolves when `item` may begin; default: when the work on the other one is done
 * @returns {Promise<Result[]>} in the order of the items
 */
export function runInOrder(
  items,
  dependencies,
  work,
  waitFor = (_other, _condition, done) => done,
) {
  const after = orderApps(items, dependencies);
  const byName = new Map(items.map((item) => [item.name, item]));
  /** @type {Map<string, Promise<Result>>} */
  const begun = new Map();
  /** @type {(item: Item) => Promise<Result>} */
  const begin = (item) => {
    const result = begun.get(item.name) ?? afterOthers(item);
    begun.set(item.name, result);
    return result;
  };
  /** @type {(item: Item) => Promise<Result>} */
  const afterOthers = async (item) => {
    const others = (after.get(item.name) ?? []).map(({ name, condition }) => {
      const other = /** @type {Item} */ (byName.get(name));
      return waitFor(other, condition, begin(other), item);
    });
    // Without a pause, so that a command that arrives next finds this one in the queue of the app.
    if (others.length === 0) return work(item, []);
    return work(item, await Promise.all(others));
  };
  return Promise.all(items.map(begin));
}

/**
 * A file without cycles may still leave one behind, if only some of its apps were applied. The dependency that closes a
 * cycle is left out.
 * @param {readonly Dependent[]} apps @param {'first' | 'last'} dependencies
 */
function orderApps(apps, dependencies) {
  const byName = new Map(apps.map((app) => [app.name, app]));
  /** Of the apps that each comes after. @type {Map<string, {name: string, condition: Condition}[]>} */
  const after = new Map(apps.map(({ name }) => [name, []]));
  const path = new Set();
  const visited = new Set();
  const visit = (/** @type {Dependent} */ { name, dependsOn }) => {
    if (visited.has(name)) return;
    visited.add(name);
    path.add(name);
    for (const [other, condition] of Object.entries(dependsOn)) {
      const dependency = byName.get(other);
      if (!dependency || path.has(other)) continue;
      visit(dependency);
      if (dependencies === 'first') after.get(name)?.push({ name: other, condition });
      else after.get(other)?.push({ name, condition });
    }
    path.delete(name);
  };
  for (const app of apps) visit(app);
  return after;
}

/** @typedef {() => App | undefined} FindApp undefined: a command is about to add it, or has deleted it */

/** Of its workers that should run. @param {App | undefined} app */
export function desiredPids(app) {
  return new Set(desiredStates(app).flatMap(({ pid }) => pid ?? []));
}

/**
 * @template T
 * @param {FindApp} find @param {ReadonlySet<number>} before pids of processes that do not count
 * @param {Promise<T>} done nothing more will be started
 * @returns {Promise<T | null>} null: each worker that should run has another process; otherwise what it was done with
 */
export function untilStarted(find, before, done) {
  return untilEach(find, done, ({ pid }) => pid !== null && !before.has(pid));
}

/**
 * The same, but null: each has loaded its program, or has failed. What follows, such as `min_uptime`, costs no CPU. Call it
 * before they are started: what is so then does not count.
 * @template T
 * @param {FindApp} find
 * @param {Promise<T>} done
 */
export function untilLoaded(find, done) {
  const before = desiredPids(find());
  const snapshotOf = () => find()?.link.snapshot;
  const snapshotBefore = snapshotOf();
  return untilEach(find, done, ({ pid, status }) => {
    const isOld = snapshotOf() === snapshotBefore || (pid !== null && before.has(pid));
    return status !== 'starting' && !isOld;
  });
}

/**
 * @template T
 * @param {FindApp} find
 * @param {Promise<T>} done
 * @param {(state: SlotState) => boolean} isSo
 * @returns {Promise<T | null>}
 */
function untilEach(find, done, isSo) {
  let isOver = false;
  const ended = done.finally(() => (isOver = true));
  const isStarted = () => {
    const states = desiredStates(find());
    return states.length > 0 && states.every(isSo);
  };
  // The primary reports each change at once; this only looks at what it has reported.
  const started = poll(() => isOver || isStarted()).then(() => (isOver ? ended : null));
  return Promise.race([ended, started]);
}

/** @param {FindApp} find @param {number} [timeoutMs] @returns {Promise<Completion>} `wait`: it timed out */
export async function untilExited(find, timeoutMs = Infinity) {
  const look = () => {
    const completion = completionOf(find());
    return completion.verdict === 'wait' ? null : completion;
  };
  return (await poll(look, { timeoutMs })) ?? { verdict: 'wait' };
}

/** Statuses in which a worker has failed. Its restart policy may start it again, which takes too long. */
const FAILED = ['errored', 'backoff', 'stopped'];
/** @type {Reason} */
const STOPPED = { kind: 'stopped' };

/**
 * Whether it has done its work: `depends_on: {migrate: exited}`.
 * @param {App | undefined} app
 * @returns {Completion} exited: every worker has exited as its settings expect
 */
export function completionOf(app) {
  if (!app || app.stopped) return { verdict: 'failed', slot: null, reason: STOPPED };
  const states = desiredStates(app);
  const failed = states.find(({ status }) => FAILED.includes(status));
  if (failed) {
    const { slot, status, lastExit } = failed;
    const failure = lastExit?.reason ?? failed.reason ?? NOT_ONLINE;
    return { verdict: 'failed', slot, reason: status === 'stopped' ? STOPPED : failure };
  }
  const isDone = states.length > 0 && states.every(({ status }) => status === 'exited');
  return { verdict: isDone ? 'exited' : 'wait' };
}

/**
 * Whether it has done the work that others wait for. What else exits with 0 may be a server that should run.
 * @param {readonly App[]} apps
 * @param {App} app
 */
export function isDone(apps, app) {
  const isAwaited = apps.some(({ spec }) => spec.dependsOn[app.name] === 'exited');
  return isAwaited && completionOf(app).verdict === 'exited';
}

/** Apps that are not what its `depends_on` says. @param {AppTable} table @param {Pick<Dependent, 'dependsOn'>} app */
export function missingFor(table, { dependsOn }) {
  return Object.keys(dependsOn).filter((name) => {
    const app = table.get(name);
    if (dependsOn[name] === 'exited') return completionOf(app).verdict !== 'exited';
    if (dependsOn[name] === 'started') return desiredPids(app).size === 0;
    return !app || summarize(app).online.length === 0;
  });
}

/** @param {App | undefined} app whose primary is connected: one that exited is started again */
function desiredStates(app) {
  if (app?.link.state !== 'connected') return [];
  const states = (app.link.snapshot?.slots ?? []).filter(({ status }) => status !== 'spare');
  return states.filter(({ slot }) => app.desiredSlots.includes(slot));
}
