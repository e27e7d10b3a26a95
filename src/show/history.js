/** What happened, for people: one line for each thing, without the steps that led to it. Pure. */
import { isKilled } from './reason.js';

/**
 * @import { Event } from '../protocol/shapes.js'
 *
 * @typedef {Event & {app?: string, slot?: number, pid?: number | null, by?: any, replaces?: number | null, alike?: Told[]}} Told
 *   replaces: the pid of the worker before; alike: those that its line tells too
 */

/** Of a worker that exited by itself earlier, only the exit is told. */
const SHORT_MS = 60_000;

/** @param {readonly Event[]} events the oldest first @returns {Told[]} equal ones of an app in a row, also of several workers, are one */
export function historyOf(events) {
  /** By app. @type {Map<string | undefined, Told & {alike: Told[]}>} */
  const latest = new Map();
  return withoutSteps(events).flatMap((event) => {
    const before = latest.get(event.app);
    const likeness = likenessOf(event);
    if (likeness !== null && before && likeness === likenessOf(before)) {
      before.alike.push(event);
      return [];
    }
    const line = { ...event, alike: [] };
    latest.set(event.app, line);
    return line;
  });
}

/** @param {Told} event @returns {string | null} null: it has a line of its own */
function likenessOf(event) {
  if (event.type === 'worker.exited') return JSON.stringify([event.reason, event.cause]);
  const isPlain = /^worker\.(starting|online|stopped)$/.test(event.type) && !('killed' in event);
  return isPlain ? `${event.type} ${'replaces' in event}` : null;
}

/** @param {readonly Event[]} events @returns {Told[]} without those that a later one tells */
function withoutSteps(events) {
  /** What follows, by the worker's slot or the command. @type {Map<string, Told>} */
  const followers = new Map();
  const failures = events.filter((event) => 'failed' in event && event.failed.length > 0);
  const isTold = (/** @type {Told} */ event) => {
    const { type, app, slot } = event;
    const key = `${app}:${slot ?? type.split('.')[0]}`;
    const next = followers.get(key);
    const isPart = next !== undefined && isPartOf(event, next);
    if (isPart && slot === undefined) followers.delete(key);
    if (!isPart && (slot !== undefined || 'ok' in event)) followers.set(key, event);
    return !isPart && !failures.some((failure) => isSaidBy(failure, event));
  };
  const all = events.map((event) => ({ ...event }));
  return all.reverse().filter(isTold).reverse();
}

/** Whether that command failed because of this, which is of a worker that it started. @param {any} failure @param {any} event */
function isSaidBy(failure, { type, app, slot, at, durationMs = 0 }) {
  const isDuring = at <= failure.at && at - durationMs >= failure.at - failure.durationMs;
  const isEnd = ['worker.exited', 'worker.errored'].includes(type);
  const isOfApp = app === failure.app && isDuring && isEnd;
  return isOfApp && failure.failed.some((/** @type {any} */ each) => each.slot === slot);
}

/** Whether the next one tells it. @param {Told} event @param {Told} next */
function isPartOf({ type, pid, at }, next) {
  if (type === 'worker.starting') return next.pid === pid;
  if (type === 'worker.online') {
    const hasFailed = next.type === 'worker.exited' && !isKilled(next.reason);
    if (next.pid === pid) return hasFailed && next.at - at < SHORT_MS;
    const isReplaced = next.type === 'worker.stopped' && next.replaces === undefined;
    if (isReplaced) Object.assign(next, { pid, replaces: next.pid });
    return isReplaced;
  }
  return /\.(begun|started)$/.test(type);
}
