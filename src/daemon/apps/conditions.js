/** Waits until an app is what another one waits for (`depends_on`). */
import { judgeCompletion } from '../../lifecycle/app-status.js';
import { poll } from '../../shared/deadline.js';

/**
 * @import { Completion } from '../../lifecycle/app-status.js'
 * @import { App } from './app.js'
 */

/** The primary reports each change at once; this only looks at what it has reported. */
const POLL_MS = 50;

/** @typedef {() => App | undefined} FindApp undefined: a command is about to add it, or has deleted it */

/**
 * @param {App | undefined} app
 * @returns {Set<number>} of its workers that should run
 */
export function desiredPids(app) {
  return new Set(desiredStates(app).flatMap(({ pid }) => pid ?? []));
}

/**
 * @param {FindApp} find
 * @param {ReadonlySet<number>} before pids of processes that do not count
 * @param {() => boolean} isOver whether nothing more will be started
 * @returns {Promise<void>} when each worker that should run has another process
 */
export async function untilStarted(find, before, isOver) {
  const isStarted = () => {
    const states = desiredStates(find());
    return states.length > 0 && states.every(({ pid }) => pid !== null && !before.has(pid));
  };
  await poll(() => isOver() || isStarted(), { timeoutMs: Infinity, everyMs: POLL_MS });
}

/**
 * @param {FindApp} find
 * @param {number} [timeoutMs]
 * @returns {Promise<Completion>} `wait`: it timed out
 */
export async function untilExited(find, timeoutMs = Infinity) {
  const look = () => {
    const completion = completionOf(find());
    return completion.verdict === 'wait' ? null : completion;
  };
  return (await poll(look, { timeoutMs, everyMs: POLL_MS })) ?? { verdict: 'wait' };
}

/** @param {App | undefined} app @returns {Completion} */
export function completionOf(app) {
  if (!app || app.stopped) {
    return { verdict: 'failed', slot: null, reason: 'was stopped before it had exited' };
  }
  const states = desiredStates(app);
  return states.length > 0 ? judgeCompletion(states) : { verdict: 'wait' };
}

/** @param {App | undefined} app whose primary is connected: one that exited is started again */
function desiredStates(app) {
  if (app?.link.state !== 'connected') return [];
  return (app.link.snapshot?.slots ?? []).filter(({ slot }) => app.desiredSlots.includes(slot));
}
