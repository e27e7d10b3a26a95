/** How HAProxy checks an app, and how long it waits for it. */
/**
 * @import { Spec } from '../../../config/spec.js'
 * @import { Backend, Line } from './backends.js'
 */

const IDLE_DELAYS = 12;

/** @param {Backend} backend @returns {Line[]} */
export function timingLines({ spec }) {
  const drain = seconds(spec.drainTimeoutMs);
  return [
    ...checkLines(spec),
    ['timeout connect 2s'],
    [`timeout server ${drain}`, `drain_timeout: ${drain}; a reload ends what takes longer`],
    ['timeout tunnel 1h', 'WebSockets'],
  ];
}

/**
 * HAProxy closes half of its idle connections after each delay, so that after twelve none is left: the
 * program must not close one while a request is on its way.
 * @param {Spec} spec
 * @returns {Line[]}
 */
export function idleLines({ keepAliveTimeoutMs }) {
  if (keepAliveTimeoutMs === null) return [];
  const delay = Math.max(1000, Math.floor(keepAliveTimeoutMs / IDLE_DELAYS / 1000) * 1000);
  return [
    [
      `default-server pool-purge-delay ${seconds(delay)}`,
      `keep_alive_timeout: ${seconds(keepAliveTimeoutMs)}`,
    ],
  ];
}

/** @param {Spec} spec @returns {Line[]} */
function checkLines({ health }) {
  const path = health && checkedPath(health.http);
  if (!health || path === null) return [['timeout check 2s']];
  return [
    [`option httpchk GET ${path}`, `health.http: ${health.http}`],
    [`timeout check ${seconds(health.timeoutMs)}`, `health.timeout: ${seconds(health.timeoutMs)}`],
  ];
}

/**
 * @param {string | null} http a path or a URL
 * @returns {string | null} null: HAProxy cannot ask that
 */
export function checkedPath(http) {
  return http !== null && /^\/[\w\-./~%=&?]*$/.test(http) ? http : null;
}

/** @param {number} ms */
function seconds(ms) {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
