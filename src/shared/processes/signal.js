import { constants } from 'node:os';
import { attempt, usageError } from '../../errors/error.js';

/** @param {string} word `SIGUSR2`, `usr2` or `12` @throws {Error} E_USAGE */
export function signalNamed(word) {
  const name = `SIG${word.toUpperCase().replace(/^SIG/, '')}`;
  const known = Object.entries(constants.signals);
  const [found] = known.find(([each, number]) => each === name || String(number) === word) ?? [];
  if (found !== undefined) return found;
  const advice = 'Use a name such as SIGUSR2; `kill -l` lists them.';
  throw usageError('signal', `${JSON.stringify(word)} is not a signal`, advice);
}

/** @param {NodeJS.Signals | 'auto'} killSignal @param {string | null} [reply] of the agent */
export function stopSignalOf(killSignal, reply = null) {
  if (killSignal !== 'auto') return killSignal;
  return reply === 'SIGINT' ? reply : 'SIGTERM';
}

/** @param {number} pid negative: a group @param {NodeJS.Signals} signal @returns false: it exited */
export function sendSignal(pid, signal) {
  return attempt(() => process.kill(pid, signal), false);
}

/**
 * Call it once everything is on the disk. Node's own exit may wait forever for a thread that waits for this one
 * (nodejs/node#54918), and a daemon would keep its lock.
 */
export function exitAtOnce() {
  process.kill(process.pid, 'SIGKILL');
}

/** Otherwise these signals would end the command at once, as the second Ctrl-C does. */
export function interruption() {
  const controller = new AbortController();
  const others = process.listeners('SIGINT');
  // SIGHUP: its terminal was closed.
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(name, () => {
      controller.abort();
      for (const each of others.splice(0)) process.once('SIGINT', each);
    });
  }
  // Not before: without any listener, Node forgets a signal that has just arrived.
  for (const each of others) process.off('SIGINT', each);
  return controller.signal;
}
