/**
 * A terminal that is drawn on as a whole: the alternate screen, without a cursor, line by line.
 * Whatever ends the process leaves the terminal as it was. The only importer of ansi-escapes.
 */
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  beginSynchronizedOutput,
  cursorHide,
  cursorShow,
  cursorTo,
  endSynchronizedOutput,
  enterAlternativeScreen,
  eraseEndLine,
  eraseScreen,
  exitAlternativeScreen,
} from 'ansi-escapes';

/** Without it a line that is as wide as the terminal could move the others. */
const wrapOff = '\u001b[?7l';
const wrapOn = '\u001b[?7h';
const enterText = enterAlternativeScreen + cursorHide + wrapOff + eraseScreen;
const leaveText = wrapOn + cursorShow + exitAlternativeScreen;
/** How long a terminal that takes nothing may hold up the end of the process, in ms. */
const lastWordsMs = 200;
const retryMs = 5;

/**
 * @typedef {object} TtyOutput what is used of process.stdout
 * @property {number} fd
 * @property {number} [columns]
 * @property {number} [rows]
 * @property {(text: string, written?: () => void) => unknown} write
 * @property {(event: 'resize', listener: () => void) => unknown} on
 * @property {(event: 'resize', listener: () => void) => unknown} off
 */

export class Screen {
  #output;
  #resized;
  /** What the terminal shows. @type {string[] | null} null: nobody knows */
  #shown = null;
  /** What it is to show when it has taken the frame before. @type {string[] | null} */
  #waiting = null;
  #isWriting = false;
  #isEntered = false;
  #onResize = () => {
    this.forget();
    this.#resized();
  };
  #onExit = () => this.#leaveAtOnce();

  /**
   * @param {TtyOutput} output
   * @param {() => void} [resized] is told after the terminal has changed its size
   */
  constructor(output, resized = () => {}) {
    this.#output = output;
    this.#resized = resized;
  }

  /** @returns {{columns: number, rows: number}} */
  get size() {
    const { columns, rows } = this.#output;
    // A serial line, or a container's terminal at first, says 0: it does not know.
    return { columns: columns || 80, rows: rows || 24 };
  }

  enter() {
    this.#isEntered = true;
    setBlocking(this.#output, false);
    process.on('exit', this.#onExit);
    this.#output.on('resize', this.#onResize);
    this.enterAgain();
  }

  /** Somebody may have left it behind this program's back. */
  enterAgain() {
    this.forget();
    this.#write(enterText);
  }

  /**
   * Only lines that differ from what is there are written, all of them at once. A terminal that
   * has not taken the last frame yet gets this one later, or the one after it.
   * @param {string[]} lines none wider than the terminal
   */
  draw(lines) {
    if (!this.#isEntered) return;
    this.#waiting = this.#isWriting ? lines : null;
    if (this.#isWriting) return;
    const fitting = lines.slice(0, this.size.rows);
    const text = changes(this.#shown, fitting);
    this.#shown = fitting;
    if (text) this.#write(beginSynchronizedOutput + text + endSynchronizedOutput);
  }

  /** What others may have written on it goes with the next frame. */
  forget() {
    this.#shown = null;
    this.#waiting = null;
  }

  /** @returns {Promise<void>} when the terminal is as it was before */
  async leave() {
    if (!this.#isEntered) return;
    this.#waiting = null;
    this.#output.off('resize', this.#onResize);
    const written = new Promise((resolve) => {
      this.#output.write(leaveText, () => resolve(undefined));
    });
    await Promise.race([written, pause(lastWordsMs, undefined, { ref: false })]);
    this.#isEntered = false;
    process.off('exit', this.#onExit);
    setBlocking(this.#output, true);
  }

  /** @param {string} text */
  #write(text) {
    this.#isWriting = true;
    this.#output.write(text, () => {
      this.#isWriting = false;
      if (this.#waiting) this.draw(this.#waiting);
    });
  }

  /** The process ends now: what is not written at once is never written. */
  #leaveAtOnce() {
    const end = performance.now() + lastWordsMs;
    while (this.#isEntered && performance.now() < end) {
      try {
        writeSync(this.#output.fd, leaveText);
        this.#isEntered = false;
      } catch (error) {
        // A terminal that is gone needs nothing; one that is slow may yet take it.
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
      }
    }
  }
}

/**
 * @param {string[] | null} before null: the screen holds anything
 * @param {string[]} after
 * @returns {string} what turns one into the other
 */
export function changes(before, after) {
  const text = after
    .map((line, row) => (before?.[row] === line ? '' : cursorTo(0, row) + eraseEndLine + line))
    .join('');
  const surplus = (before ?? []).slice(after.length).map((_line, index) => after.length + index);
  const blank = surplus.map((row) => cursorTo(0, row) + eraseEndLine).join('');
  return (before === null ? eraseScreen : '') + text + blank;
}

/**
 * Node writes to terminals in blocking mode: one that takes nothing (a stalled ssh, Ctrl-S) would
 * stop this process in the middle of a write, deaf to keys and signals.
 * @param {object} output
 * @param {boolean} isBlocking
 */
function setBlocking(output, isBlocking) {
  const { _handle: handle } = /** @type {any} */ (output);
  handle?.setBlocking?.(isBlocking);
}
