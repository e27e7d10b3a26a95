/** How long an app may take to start and to stop. */
/** @import { Spec } from '../../config/spec.js' */

/** What `run` itself needs to exit after its last worker. */
const MARGIN_S = 5;

/**
 * @param {Spec} spec
 * @returns {{seconds: number, setting: string}} after which the engine may kill what is left
 */
export function stopTime({ shutdownDelayMs, drainTimeoutMs, killTimeoutMs }) {
  const ms = shutdownDelayMs + drainTimeoutMs + killTimeoutMs;
  const seconds = Math.ceil(ms / 1000) + MARGIN_S;
  const delay = shutdownDelayMs > 0 ? `shutdown_delay ${shutdownDelayMs / 1000}s + ` : '';
  const parts = `${delay}drain_timeout ${drainTimeoutMs / 1000}s + kill_timeout ${killTimeoutMs / 1000}s`;
  return { seconds, setting: `${parts} + ${MARGIN_S}s` };
}

/**
 * A worker that fails is started again, until there were `max_restarts` within `restart_window`.
 * @param {Spec} spec
 * @returns {{seconds: number, setting: string}} after which `run` has either started or given up
 */
export function startTime({ listenTimeoutMs, minUptimeMs, restartWindowMs, health }) {
  const startPeriodMs = health?.startPeriodMs ?? 0;
  const first =
    startPeriodMs > listenTimeoutMs
      ? { ms: startPeriodMs, key: 'health.start_period' }
      : { ms: listenTimeoutMs, key: 'listen_timeout' };
  const seconds = Math.ceil((first.ms + minUptimeMs + restartWindowMs) / 1000);
  const parts = [
    `${first.key} ${first.ms / 1000}s`,
    `min_uptime ${minUptimeMs / 1000}s`,
    `restart_window ${restartWindowMs / 1000}s`,
  ];
  return { seconds, setting: parts.join(' + ') };
}
