/** Takes the keyboard and the screen of a terminal until they are released, and restores them however the process ends. */
import { NodeclusterError } from '../../errors/error.js';
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { emitKeypressEvents } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * @import { Context } from '../../cli/context.js'
 * @import { EventEmitter } from 'node:events'
 * @import { KeyPress } from './keys.js'
 *
 * @typedef {NonNullable<Context['tty']>} Tty
 *
 * @typedef {object} FullScreenListener
 * @property {(text: string | undefined, key: KeyPress) => void} onKey
 * @property {(signal: EndSignal) => void} onEnd on a terminating signal; with SIGHUP also when the terminal closes
 * @property {() => void} onBlank the screen is blank, and its size may have changed
 */

const eraseScreen = '\u001b[2J';
const eraseEndLine = '\u001b[K';
/** Of one frame: the terminal shows it at once. */
const beginFrame = '\u001b[?2026h';
const endFrame = '\u001b[?2026l';
/** The alternative screen, without a cursor, and without wrapping: a line as wide as the terminal could push others down. */
const enterText = `\u001b[?1049h\u001b[?25l\u001b[?7l${eraseScreen}`;
const leaveText = '\u001b[?7h\u001b[?25h\u001b[?1049l';
/** How long a terminal that does not read may delay the exit of the process. */
const leaveTimeoutMs = 200;
const retryMs = 5;

/** Draws lines on the alternate screen. */
export class FullScreen {
  #input;
  #output;
  #listener;
  #isTaken = false;
  /** Until the terminal is restored. */
  #isEntered = false;
  #releaseKeyboard = () => {};
  /** The lines that the terminal shows; null: unknown. @type {string[] | null} */
  #shownLines = null;
  /** The newest frame, while the previous one is being written. @type {string[] | null} */
  #nextFrame = null;
  #isWriting = false;
  #onResize = () => {
    this.invalidate();
    this.#listener.onBlank();
  };
  #onExit = () => this.#leaveNow();
  #onContinue = () => {
    // The shell has set the mode of the terminal, which Node does not know.
    this.#input.setRawMode(false);
    this.#input.setRawMode(true);
    this.#enter();
    // No SIGWINCH arrives in the background.
    process.emit('SIGWINCH');
    this.#listener.onBlank();
  };

  /** @param {Tty} tty @param {FullScreenListener} listener */
  constructor({ input, output }, listener) {
    this.#input = input;
    this.#output = output;
    this.#listener = listener;
  }

  get size() {
    const { columns, rows } = this.#output;
    // A serial line, and a container's terminal at first, report 0.
    return { columns: columns || 80, rows: rows || 24 };
  }

  take() {
    this.#releaseKeyboard = takeKeyboard(this.#input, this.#listener);
    this.#isTaken = true;
    setBlocking(this.#output, false);
    process.on('exit', this.#onExit);
    process.on('SIGCONT', this.#onContinue);
    this.#output.on('resize', this.#onResize);
    this.#enter();
  }

  #enter() {
    this.#isEntered = true;
    this.invalidate();
    this.#write(enterText);
  }

  /**
   * Writes only the lines that changed, in one write. While the previous frame is being written,
   * the newest one waits and replaces any other that waits.
   * @param {string[]} lines none wider than the terminal
   */
  draw(lines) {
    if (!this.#isTaken) return;
    this.#nextFrame = this.#isWriting ? lines : null;
    if (this.#isWriting) return;
    const fitting = lines.slice(0, this.size.rows);
    const text = changes(this.#shownLines, fitting);
    this.#shownLines = fitting;
    if (text) this.#write(beginFrame + text + endFrame);
  }

  /** Makes the next draw() repaint every line, for when others may have written to the screen. */
  invalidate() {
    this.#shownLines = null;
    this.#nextFrame = null;
  }

  /** @returns {Promise<void>} resolves when the terminal is restored */
  async release() {
    this.#isTaken = false;
    if (!this.#isEntered) return;
    this.#nextFrame = null;
    this.#output.off('resize', this.#onResize);
    const written = new Promise((resolve) => {
      this.#output.write(leaveText, () => resolve(undefined));
    });
    await Promise.race([written, pause(leaveTimeoutMs, undefined, { ref: false })]);
    this.#isEntered = false;
    process.off('exit', this.#onExit);
    process.off('SIGCONT', this.#onContinue);
    setBlocking(this.#output, true);
    this.#releaseKeyboard();
  }

  /** @param {string} text */
  #write(text) {
    this.#isWriting = true;
    this.#output.write(text, () => {
      this.#isWriting = false;
      if (this.#nextFrame) this.draw(this.#nextFrame);
    });
  }

  /** In an exit listener, only a synchronous write reaches the terminal. */
  #leaveNow() {
    const end = performance.now() + leaveTimeoutMs;
    while (this.#isEntered && performance.now() < end) {
      try {
        writeSync(this.#output.fd, leaveText);
        this.#isEntered = false;
      } catch (error) {
        // A closed terminal needs no restoring; a slow one may still accept the write.
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
      }
    }
  }
}

/**
 * @param {string[] | null} before null: unknown
 * @param {string[]} after
 * @returns {string} what turns the one into the other
 */
export function changes(before, after) {
  const text = after
    .map((line, row) => (before?.[row] === line ? '' : toRow(row) + eraseEndLine + line))
    .join('');
  const surplus = (before ?? []).slice(after.length).map((_line, index) => after.length + index);
  const blank = surplus.map((row) => toRow(row) + eraseEndLine).join('');
  return (before === null ? eraseScreen : '') + text + blank;
}

/**
 * By default Node writes to terminals in blocking mode. A terminal that does not read (a stalled
 * ssh, Ctrl-S) would then block this process in a write, and it could not handle keys or signals.
 * @param {object} output
 * @param {boolean} isBlocking
 */
function setBlocking(output, isBlocking) {
  const { _handle: handle } = /** @type {any} */ (output);
  handle?.setBlocking?.(isBlocking);
}

/** @param {number} row from 0 */
function toRow(row) {
  return `\u001b[${row + 1};1H`;
}

/** @param {Context} context @returns {Tty} @throws {NodeclusterError} E_NO_TERMINAL */
export function requireTerminal({ command, tty, env }) {
  if (tty === null) throw new NodeclusterError('E_NO_TERMINAL', { command, reason: 'not one' });
  if (!env.TERM || env.TERM === 'dumb')
    throw new NodeclusterError('E_NO_TERMINAL', { command, reason: 'TERM=dumb' });
  return tty;
}

/** How long to wait after Esc for the rest of an escape sequence. */
const escapeTimeoutMs = 50;
/** @type {EndSignal[]} */
const endSignals = ['SIGTERM', 'SIGHUP', 'SIGQUIT'];

/** @typedef {'SIGTERM' | 'SIGHUP' | 'SIGQUIT'} EndSignal */

/**
 * @param {Tty['input']} input
 * @param {Pick<FullScreenListener, 'onKey' | 'onEnd'>} listener
 * @returns {() => void} releases the keyboard
 */
function takeKeyboard(input, { onKey, onEnd }) {
  const onHangup = () => onEnd('SIGHUP');
  /** @type {[EventEmitter, string, (...args: any[]) => void][]} */
  const listeners = [
    [input, 'keypress', onKey],
    [input, 'end', onHangup],
    [input, 'error', onHangup],
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
