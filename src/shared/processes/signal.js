/**
 * @param {NodeJS.Signals | 'auto'} killSignal
 * @param {string | null} [reply] of the worker's agent, which knows what its program handles; null:
 *   it has none, or did not reply
 */
export function stopSignalOf(killSignal, reply = null) {
  if (killSignal !== 'auto') return killSignal;
  return reply === 'SIGINT' ? reply : 'SIGTERM';
}

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
