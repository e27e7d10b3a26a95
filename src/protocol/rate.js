/** Limits what is read from a peer that is not trusted: it then has to wait. */

/** @import { Socket } from 'node:net' */

/**
 * @typedef {object} Rate
 * @property {number} bytesPerSecond in the long run
 * @property {number} burst bytes that may come at once after a pause
 */

/** @param {Socket} socket @param {Rate} rate */
export function limitRate(socket, { bytesPerSecond, burst }) {
  let allowance = burst;
  let lastMs = performance.now();
  socket.on('data', (chunk) => {
    const nowMs = performance.now();
    const earned = ((nowMs - lastMs) / 1000) * bytesPerSecond;
    allowance = Math.min(burst, allowance + earned) - chunk.length;
    lastMs = nowMs;
    if (allowance >= 0) return;
    socket.pause();
    setTimeout(() => socket.resume(), (-allowance / bytesPerSecond) * 1000);
  });
}
