/** Keys as they are pressed, and what else ends a program that waits for them. */
import { constants } from 'node:os';
import { emitKeypressEvents } from 'node:readline';

/** How long an Esc may wait for the rest of a sequence, in ms. */
const escapes = { escapeCodeTimeout: 50 };
/** @type {Ending[]} */
const endings = ['SIGTERM', 'SIGHUP'];

/**
 * @typedef {'SIGTERM' | 'SIGHUP'} Ending
 * @typedef {import('./monit/keys.js').KeyPress} KeyPress
 *
 * @typedef {object} KeyListener
 * @property {(text: string | undefined, key: KeyPress) => void} pressed
 * @property {(signal: Ending) => void} ended from outside; SIGHUP also when the terminal is gone
 */

/**
 * @param {import('./terminal.js').TtyInput} input
 * @param {KeyListener} listener
 * @returns {() => void} gives the keyboard back
 */
export function takeKeyboard(input, { pressed, ended }) {
  const onGone = () => ended('SIGHUP');
  const onSignal = (/** @type {any} */ name) => ended(name);
  emitKeypressEvents(/** @type {any} */ (input), /** @type {any} */ (escapes));
  input.on('keypress', pressed);
  input.on('end', onGone);
  input.on('error', onGone);
  for (const signal of endings) process.on(signal, onSignal);
  input.setRawMode(true);
  input.resume();
  return () => {
    input.off('keypress', pressed);
    input.off('end', onGone);
    for (const signal of endings) process.off(signal, onSignal);
    input.setRawMode(false);
    input.pause();
  };
}

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
