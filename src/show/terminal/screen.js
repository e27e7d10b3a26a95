/**
 * Draws lines on the alternate screen of a terminal and restores the terminal however the process
 * ends.
 */
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** @import { Tty } from './full-screen.js' */

const eraseScreen = '\u001b[2J';
const eraseEndLine = '\u001b[K';
const enterAlternativeScreen = '\u001b[?1049h';
const exitAlternativeScreen = '\u001b[?1049l';
const cursorHide = '\u001b[?25l';
const cursorShow = '\u001b[?25h';
const beginSynchronizedOutput = '\u001b[?2026h';
const endSynchronizedOutput = '\u001b[?2026l';
/** Wrapping is off, because a line as wide as the terminal could push the others down. */
const wrapOff = '\u001b[?7l';
const wrapOn = '\u001b[?7h';
const enterText = enterAlternativeScreen + cursorHide + wrapOff + eraseScreen;
const leaveText = wrapOn + cursorShow + exitAlternativeScreen;
/** How long a terminal that does not read may delay the exit of the process. */
const leaveTimeoutMs = 200;
const retryMs = 5;

export class Screen {
  #output;
  #onResized;
  /** The lines that the terminal shows; null: unknown. @type {string[] | null} */
  #shownLines = null;
  /** The newest frame, while the previous one is being written. @type {string[] | null} */
  #nextFrame = null;
  #isWriting = false;
  #isEntered = false;
  #onResize = () => {
    this.invalidate();
    this.#onResized();
  };
  #onExit = () => this.#leaveNow();

  /**
   * @param {Tty['output']} output
   * @param {() => void} [onResized] called after the size has changed
   */
  constructor(output, onResized = () => {}) {
    this.#output = output;
    this.#onResized = onResized;
  }

  get size() {
    const { columns, rows } = this.#output;
    // A serial line, and a container's terminal at first, report 0.
    return { columns: columns || 80, rows: rows || 24 };
  }

  enter() {
    this.#isEntered = true;
    setBlocking(this.#output, false);
    process.on('exit', this.#onExit);
    this.#output.on('resize', this.#onResize);
    this.enterAgain();
  }

  /** Call it when another program may have left the alternate screen. */
  enterAgain() {
    this.invalidate();
    this.#write(enterText);
  }

  /**
   * Writes only the lines that changed, in one write. While the previous frame is being written,
   * the newest one waits and replaces any other that waits.
   * @param {string[]} lines none wider than the terminal
   */
  draw(lines) {
    if (!this.#isEntered) return;
    this.#nextFrame = this.#isWriting ? lines : null;
    if (this.#isWriting) return;
    const fitting = lines.slice(0, this.size.rows);
    const text = changes(this.#shownLines, fitting);
    this.#shownLines = fitting;
    if (text) this.#write(beginSynchronizedOutput + text + endSynchronizedOutput);
  }

  /** Makes the next draw() repaint every line. */
  invalidate() {
    this.#shownLines = null;
    this.#nextFrame = null;
  }

  /** @returns {Promise<void>} resolves when the terminal is restored */
  async leave() {
    if (!this.#isEntered) return;
    this.#nextFrame = null;
    this.#output.off('resize', this.#onResize);
    const written = new Promise((resolve) => {
      this.#output.write(leaveText, () => resolve(undefined));
    });
    await Promise.race([written, pause(leaveTimeoutMs, undefined, { ref: false })]);
    this.#isEntered = false;
    process.off('exit', this.#onExit);
    setBlocking(this.#output, true);
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
 * @returns {string} the escape sequences that turn `before` into `after`
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
