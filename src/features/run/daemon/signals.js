/** The signals of `run`. */
import { isatty } from 'node:tty';

/** ms in which a signal that comes twice counts once: a launcher may pass on what a terminal sends to both. */
const SAME_MS = 250;

/**
 * @param {object} on
 * @param {(signal: NodeJS.Signals) => void} on.stop
 * @param {() => void} on.reload
 * @param {() => void} on.reopenLogs
 */
export function handleSignals({ stop, reload, reopenLogs }) {
  const hadTerminal = isatty(0);
  let lastMs = -Infinity;
  const stopOnce = (/** @type {NodeJS.Signals} */ signal) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < SAME_MS) return;
    lastMs = nowMs;
    stop(signal);
  };
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, stopOnce);
  // A terminal that is closed sends it too.
  process.on('SIGHUP', () => (hadTerminal && !isatty(0) ? stop('SIGHUP') : reload()));
  process.on('SIGUSR2', reopenLogs);
}
