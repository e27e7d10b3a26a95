/** What a stop had to kill, in words. */
import { formatCount } from './quantity.js';

/** @import { Killed } from '../protocol/shapes.js' */

/** @param {Killed} killed @returns {string[]} lines of the outcome of a command */
export function killedLines({ workers, launchers, ...how }) {
  const [were, they] = workers === 1 ? ['was', 'it'] : ['were', 'they'];
  return [
    workers > 0 ? `  ${formatCount(workers, 'worker')} ${were} ${killedText(how, they)}.` : '',
    launchers > 0 ? `  What ${formatCount(launchers, 'worker')} left was ${killedText(how)}.` : '',
  ].filter(Boolean);
}

/** @param {Killed} killed @returns {string} of one worker */
export function killedWorkerText({ workers, ...how }) {
  return workers > 0 ? killedText(how) : `what it left was ${killedText(how)}`;
}

/** @param {Pick<Killed, 'afterMs' | 'signal'>} how @param {string} [it] */
function killedText({ afterMs, signal }, it = 'it') {
  const request = signal ?? "the message 'shutdown'";
  return `killed after kill_timeout (${afterMs / 1000}s): ${it} did not exit on ${request}`;
}
