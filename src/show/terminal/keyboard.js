/** Reads single keys, and handles the signals that terminate or suspend a full-screen program. */
import { once } from 'node:events';
import { constants } from 'node:os';
import { emitKeypressEvents } from 'node:readline';
import { within } from '../../shared/deadline.js';

/**
 * @import { EventEmitter } from 'node:events'
 * @import { KeyPress } from '../../clients/monit/keys.js'
 * @import { Tty } from './full-screen.js'
 */

/** How long to wait after Esc for the rest of an escape sequence. */
const escapeTimeoutMs = 50;
/** If SIGTSTP suspends this process at all, it does so within this time. */
const stopTimeoutMs = 100;
/** @type {EndSignal[]} */
const endSignals = ['SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * @typedef {'SIGTERM' | 'SIGHUP' | 'SIGQUIT'} EndSignal
 *
 * @typedef {object} KeyListener
 * @property {(text: string | undefined, key: KeyPress) => void} onKey
 * @property {(signal: EndSignal) => void} onEnd on a terminating signal; with SIGHUP also when the terminal closes
 * @property {() => void} onContinue after SIGCONT, when the process was suspended from outside
 */

/**
 * @param {Tty['input']} input
 * @param {KeyListener} listener
 * @returns {() => void} releases the keyboard
 */
export function takeKeyboard(input, { onKey, onEnd, onContinue }) {
  const onHangup = () => onEnd('SIGHUP');
  const onContinued = () => {
    // The shell has reset the terminal mode, and Node does not know that.
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
  // Node accepts an options object in place of a readline interface; the types do not.
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

/** Handles the error of a terminal that closes after it was released. */
function ignore() {}

/**
 * Terminates this process with the signal; call it once the terminal is restored. process.exit()
 * is not enough: Node restores the terminal itself, and aborts if the terminal is closed.
 * @param {EndSignal} signal
 * @returns {number} the exit code that matches the signal, which arrives a moment later
 */
export function endBy(signal) {
  process.kill(process.pid, signal);
  return 128 + constants.signals[signal];
}

/**
 * Stops this job as Ctrl-Z does in a terminal that is not in raw mode. It stops the whole process
 * group, because `npx` waits for this process and would keep the shell from coming back.
 * @returns {Promise<void>} resolves when the job continues; almost at once if there is no shell to
 *   continue it, because the system does not stop such a job
 */
export async function suspendGroup() {
  const waiting = new AbortController();
  const continued = once(process, 'SIGCONT', { signal: waiting.signal }).catch(() => {});
  process.kill(0, 'SIGTSTP');
  await within(continued, stopTimeoutMs);
  waiting.abort();
}
