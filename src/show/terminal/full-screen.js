/** Takes the keyboard and the screen of a terminal until they are released. Ctrl-Z suspends the job. */
import { Screen } from './screen.js';
import { NodeclusterError } from '../../errors/error.js';
import { once } from 'node:events';
import { constants } from 'node:os';
import { emitKeypressEvents } from 'node:readline';
import { within } from '../../shared/deadline.js';

/**
 * @import { Context } from '../../cli/context.js'
 * @import { EventEmitter } from 'node:events'
 * @import { KeyPress } from '../../clients/monit/keys.js'
 */

/**
 * @typedef {object} FullScreenListener
 * @property {KeyListener['onKey']} onKey for all keys except Ctrl-Z
 * @property {KeyListener['onEnd']} onEnd
 * @property {() => void} onBlank the screen is blank, and its size may have changed
 */

export class FullScreen {
  #input;
  #listener;
  #screen;
  #isTaken = false;
  #isReleased = false;
  #releaseKeyboard = () => {};

  /** @param {Tty} tty @param {FullScreenListener} listener */
  constructor({ input, output }, listener) {
    this.#input = input;
    this.#listener = listener;
    this.#screen = new Screen(output, listener.onBlank);
  }

  get size() {
    return this.#screen.size;
  }

  take() {
    const { onKey, onEnd, onBlank } = this.#listener;
    this.#releaseKeyboard = takeKeyboard(this.#input, {
      onEnd,
      onKey: (text, key) => {
        if (key.ctrl && key.name === 'z') this.#suspend().catch(() => onEnd('SIGHUP'));
        else onKey(text, key);
      },
      onContinue: () => {
        this.#screen.enterAgain();
        onBlank();
      },
    });
    this.#screen.enter();
    this.#isTaken = true;
  }

  /** @param {string[]} lines none wider than the terminal */
  draw(lines) {
    if (this.#isTaken) this.#screen.draw(lines);
  }

  /** Makes the next draw() repaint every line, for when others may have written to the screen. */
  invalidate() {
    this.#screen.invalidate();
  }

  /** @returns {Promise<void>} resolves when the terminal is restored */
  release() {
    this.#isReleased = true;
    return this.#leave();
  }

  async #leave() {
    this.#isTaken = false;
    await this.#screen.leave();
    this.#releaseKeyboard();
  }

  async #suspend() {
    await this.#leave();
    await suspendGroup();
    if (this.#isReleased) return;
    this.take();
    // The size may have changed while this process was in the background, where no SIGWINCH arrives.
    process.emit('SIGWINCH');
    this.#listener.onBlank();
  }
}

/** @typedef {{input: typeof process.stdin, output: typeof process.stdout}} Tty */

/**
 * Whether a full-screen display is possible, and which characters the terminal can show.
 * @param {Context} context
 * @throws {NodeclusterError} E_NO_TERMINAL
 */
export function requireTerminal({ command, tty, env }) {
  if (tty === null) throw new NodeclusterError('E_NO_TERMINAL', { command, reason: 'not one' });
  if (isDumb(env)) throw new NodeclusterError('E_NO_TERMINAL', { command, reason: 'TERM=dumb' });
  return tty;
}

/** @param {Context['env']} env */
export function isDumb({ TERM }) {
  return TERM === undefined || TERM === '' || TERM === 'dumb';
}

/**
 * @param {Context['env']} env
 * @returns {boolean} whether it can show block and line-drawing characters; the Linux console has few
 */
export function supportsUnicode({ LC_ALL, LC_CTYPE, LANG, TERM }) {
  return TERM !== 'linux' && /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}

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
function takeKeyboard(input, { onKey, onEnd, onContinue }) {
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
async function suspendGroup() {
  const waiting = new AbortController();
  const continued = once(process, 'SIGCONT', { signal: waiting.signal }).catch(() => {});
  process.kill(0, 'SIGTSTP');
  await within(continued, stopTimeoutMs);
  waiting.abort();
}
