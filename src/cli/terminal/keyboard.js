/** Keys as they are pressed, and what else ends or stops a program that waits for them. */
import { once } from 'node:events';
import { constants } from 'node:os';
import { emitKeypressEvents } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * @import { KeyPress } from '../monit/keys.js'
 * @import { TtyInput } from './terminal.js'
 */

/** How long an Esc may wait for the rest of a sequence, in ms. */
const escapes = { escapeCodeTimeout: 50 };
/** A process that can be stopped is stopped by then, in ms. */
const stopMs = 100;
/** @type {Ending[]} */
const endings = ['SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * @typedef {'SIGTERM' | 'SIGHUP' | 'SIGQUIT'} Ending
 *
 * @typedef {object} KeyListener
 * @property {(text: string | undefined, key: KeyPress) => void} pressed
 * @property {(signal: Ending) => void} ended from outside; SIGHUP also when the terminal is gone
 * @property {() => void} continued it was stopped from outside, and goes on
 */

/**
 * @param {TtyInput} input
 * @param {KeyListener} listener
 * @returns {() => void} gives the keyboard back
 */
export function takeKeyboard(input, { pressed, ended, continued }) {
  const onGone = () => ended('SIGHUP');
  const onSignal = (/** @type {any} */ name) => ended(name);
  const onContinued = () => {
    // The shell has set the terminal back, and Node does not know.
    input.setRawMode(false);
    input.setRawMode(true);
    continued();
  };
  emitKeypressEvents(/** @type {any} */ (input), /** @type {any} */ (escapes));
  input.on('keypress', pressed);
  input.on('end', onGone);
  input.on('error', onGone);
  for (const signal of endings) process.on(signal, onSignal);
  process.on('SIGCONT', onContinued);
  input.setRawMode(true);
  input.resume();
  return () => {
    input.off('keypress', pressed);
    input.off('end', onGone);
    input.off('error', onGone);
    input.off('error', nothing);
    input.on('error', nothing);
    for (const signal of endings) process.off(signal, onSignal);
    process.off('SIGCONT', onContinued);
    input.setRawMode(false);
    input.pause();
  };
}

/** A terminal that is gone is of no interest any more. */
function nothing() {}

/**
 * Ends this process as the signal would have, now that the terminal is as it was. By exiting it
 * Node would abort where the terminal is gone: it insists on setting it back itself.
 * @param {Ending} signal
 * @returns {number} the exit code, for the moment until then
 */
export function endBy(signal) {
  process.kill(process.pid, signal);
  return 128 + constants.signals[signal];
}

/**
 * Stops this job, as Ctrl-Z does where keys are not read one by one. It is the whole job: `npx` and
 * its like wait for this process and would keep the shell from coming back.
 * @returns {Promise<void>} when it goes on. The system stops no job that no shell could let go on;
 *   then it is soon
 */
export async function stopJob() {
  const waiting = new AbortController();
  const { signal } = waiting;
  const continued = once(process, 'SIGCONT', { signal }).catch(() => {});
  process.kill(0, 'SIGTSTP');
  await Promise.race([continued, pause(stopMs)]);
  waiting.abort();
}
