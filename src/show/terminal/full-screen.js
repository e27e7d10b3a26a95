/** Takes the keyboard and the screen of a terminal until they are released. Ctrl-Z suspends the job. */
import { suspendGroup, takeKeyboard } from './keyboard.js';
import { Screen } from './screen.js';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { KeyListener } from './keyboard.js'
 * @import { Context } from '../../cli/context.js'
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
