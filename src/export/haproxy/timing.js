/** How HAProxy checks an app, and how long it waits for it. */
/** @import { Backend, Line } from './backends.js' */

/** @param {Backend} backend @returns {Line[]} */
export function timingLines({ spec }) {
  const drain = seconds(spec.drainTimeoutMs);
  return [
    ['timeout check 2s'],
    ['timeout connect 2s'],
    [`timeout server ${drain}`, `drain_timeout: ${drain}; a reload ends what takes longer`],
    ['timeout tunnel 1h', 'WebSockets'],
  ];
}

/** @param {number} ms */
function seconds(ms) {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
