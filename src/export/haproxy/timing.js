/** How HAProxy checks an app, and how long it waits for it. */
/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Backend, Line } from './backends.js'
 */

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
