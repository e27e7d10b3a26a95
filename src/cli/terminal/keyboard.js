/** Reads single keys, and the signals that end or stop a program that reads them. */
import { once } from 'node:events';
import { constants } from 'node:os';
import { emitKeypressEvents } from 'node:readline';
import { within } from '../../shared/deadline.js';

/**
 * @import { EventEmitter } from 'node:events'
 * @import { KeyPress } from '../monit/keys.js'
 * @import { Tty } from './terminal.js'
 */

/** How long an Esc may wait for the rest of an escape sequence. */
const escapeTimeoutMs = 50;
/** A process that can be stopped is stopped within this time. */
const stopTimeoutMs = 100;
/** @type {EndSignal[]} */
const endSignals = ['SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * @typedef {'SIGTERM' | 'SIGHUP' | 'SIGQUIT'} EndSignal
 *
 * @typedef {object} KeyListener
 * @property {(text: string | undefined, key: KeyPress) => void} onKey
 * @property {(signal: EndSignal) => void} onEnd a signal; SIGHUP also if the terminal is closed
 * @property {() => void} onContinue after the process was stopped from outside
 */

/**
 * @param {Tty['input']} input
 * @param {KeyListener} listener
 * @returns {() => void} releases the keyboard
 */
export function takeKeyboard(input, { onKey, onEnd, onContinue }) {
  const onHangup = () => onEnd('SIGHUP');
  const onContinued = () => {
    // The shell has reset the terminal, which Node does not know.
    input.setRawMode(false);
    input.setRawMode(true);
    onContinue();
  };
  /** @type {[EventEmitter, string, (...args: any[]) => void][]} */
  const listeners = [
    [input, 'keypress', onKey],
    [input, 'end', onHangup],
    [input, 'error', onHangup],
    [process, 'SIGCONT', onContinued],
  ];
  for (const signal of endSignals) listeners.push([process, signal, onEnd]);
  // The types do not know that options are enough in place of a readline interface.
  emitKeypressEvents(input, /** @type {any} */ ({ escapeCodeTimeout: escapeTimeoutMs }));
  for (const [emitter, event, listener] of listeners) emitter.on(event, listener);
  input.setRawMode(true);
  input.resume();
  return () => {
    for (const [emitter, event, listener] of listeners) emitter.off(event, listener);
    input.off('error', ignore);
    input.on('error', ignore);
    input.setRawMode(false);
    input.pause();
  };
}

/** For errors of a terminal that was closed after it was released. */
function ignore() {}

/**
 * Ends this process by the signal, after the terminal was restored. With process.exit() Node would
 * abort if the terminal is closed, because it tries to restore it itself.
 * @param {EndSignal} signal
 * @returns {number} the exit code until the signal arrives
 */
export function endBy(signal) {
  process.kill(process.pid, signal);
  return 128 + constants.signals[signal];
}

/**
 * Stops this job as Ctrl-Z does in a terminal that is not in raw mode. It stops the whole process
 * group, because `npx` waits for this process and would keep the shell from coming back.
 * @returns {Promise<void>} when the job continues; soon, if no shell could continue it, because
 *   the system does not stop such a job
 */
export async function stopJob() {
  const waiting = new AbortController();
  const continued = once(process, 'SIGCONT', { signal: waiting.signal }).catch(() => {});
  process.kill(0, 'SIGTSTP');
  await within(continued, stopTimeoutMs);
  waiting.abort();
}
