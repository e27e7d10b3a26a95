/**
 * @param {number} pid negative: a process group
 * @param {NodeJS.Signals} signal
 * @returns {boolean} false: it had exited
 */
export function sendSignal(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
