/**
 * A terminal that one command has for itself, keyboard and screen, until it gives it back. Ctrl-Z
 * gives it back for a while.
 */
import { stopJob, takeKeyboard } from './keyboard.js';
import { Screen } from './screen.js';

/**
 * @import { KeyListener } from './keyboard.js'
 * @import { Tty } from './terminal.js'
 */

/**
 * @typedef {object} FullScreenListener
 * @property {KeyListener['pressed']} pressed but for Ctrl-Z
 * @property {KeyListener['ended']} ended
 * @property {() => void} blank nothing is on it any more, and its size may be another
 */

export class FullScreen {
  #input;
  #listener;
  #screen;
  #isTaken = false;
  #isOver = false;
  #release = () => {};

  /**
   * @param {Tty} tty
   * @param {FullScreenListener} listener
   */
  constructor({ input, output }, listener) {
    this.#input = input;
    this.#listener = listener;
    this.#screen = new Screen(output, listener.blank);
  }

  get size() {
    return this.#screen.size;
  }

  take() {
    const { pressed, ended, blank } = this.#listener;
    this.#release = takeKeyboard(this.#input, {
      ended,
      pressed: (text, key) => {
        if (key.ctrl && key.name === 'z') this.#suspend().catch(() => ended('SIGHUP'));
        else pressed(text, key);
      },
      continued: () => {
        this.#screen.enterAgain();
        blank();
      },
    });
    this.#screen.enter();
    this.#isTaken = true;
  }

  /** @param {string[]} lines none wider than the terminal */
  draw(lines) {
    if (this.#isTaken) this.#screen.draw(lines);
  }

  /** What others may have written on it goes with the next frame. */
  forget() {
    this.#screen.forget();
  }

  /** @returns {Promise<void>} when the terminal is as it was before */
  giveBack() {
    this.#isOver = true;
    return this.#leave();
  }

  async #leave() {
    this.#isTaken = false;
    await this.#screen.leave();
    this.#release();
  }

  async #suspend() {
    await this.#leave();
    await stopJob();
    if (this.#isOver) return;
    this.take();
    // Only processes in the foreground are told that the terminal has another size.
    process.emit('SIGWINCH');
    this.#listener.blank();
  }
}
