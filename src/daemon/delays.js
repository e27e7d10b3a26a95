/** How long the daemon waits, as pure functions. All times are in milliseconds. */

import { doublingDelay, MAX_STRETCH } from '../lifecycle/delays.js';

/** @import { Spec } from '../config/spec.js' */

const FIRST_RESTART_DELAY = 100;
const MAX_RESTART_DELAY = 10_000;
/** Extra time after drain_timeout for a worker to report that it has drained. */
const AGENT_GRACE = 2000;
/** Extra time for a primary to exit after its workers. */
const PRIMARY_GRACE = 5000;
/** For a primary to reply, and for programs to load, on a machine under full load. */
const REPLY_GRACE = 60_000;
const MAX_TIMER = 2 ** 31 - 1;

/** Until a primary is started again. @param {number} deaths its exits in quick succession */
export function relaunchDelay(deaths) {
  return deaths <= 1 ? 0 : doublingDelay(deaths - 2, FIRST_RESTART_DELAY, MAX_RESTART_DELAY);
}

/** For all workers of a primary together to drain and stop. @param {Pick<Spec, 'drainTimeoutMs' | 'killTimeoutMs'>} spec */
export function shutdownTimeout({ drainTimeoutMs, killTimeoutMs }) {
  return drainTimeoutMs + AGENT_GRACE + killTimeoutMs + PRIMARY_GRACE;
}

/** Likewise, but first connections that wait in the primary get a worker. @param {Parameters<typeof shutdownTimeout>[0]} spec */
export function retireTimeout(spec) {
  return spec.drainTimeoutMs + shutdownTimeout(spec);
}

/**
 * After which a request to a primary is given up: one that answers pings and never completes a command must not hold up
 * the queue of its app for ever. A sound one replies earlier, whatever its workers do.
 * @param {string} method @param {Spec} spec @param {number} slots of the app
 */
export function requestTimeout(method, spec, slots) {
  const startMs = Math.max(spec.listenTimeoutMs, spec.holdTimeoutMs, spec.hangTimeoutMs ?? 0);
  const start = MAX_STRETCH * startMs + spec.minUptimeMs;
  const stop = shutdownTimeout(spec);
  if (method === 'stop') return stop;
  // One slot after another, and back again with `rollback`.
  const roll = 2 * Math.max(1, slots) * (start + stop);
  /** @type {Record<string, number>} */
  const longest = {
    start,
    restart: stop + start,
    scale: stop + start,
    reload: roll,
  };
  return Math.min(REPLY_GRACE + (longest[method] ?? 0), MAX_TIMER);
}
