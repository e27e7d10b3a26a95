/** `monit`: ties the keyboard, the daemon, the log and the screen to the state. */
import { watchApps } from '../feed.js';
import { endBy, takeKeyboard } from '../keyboard.js';
import { openForApps } from '../on-apps.js';
import { Screen } from '../screen.js';
import { hasBlocks, needTerminal } from '../terminal.js';
import { Effects } from './effects.js';
import { layout } from './layout.js';
import { LogWatch } from './log-watch.js';
import { firstState, selectedRow } from './state.js';
import { update } from './update.js';

/**
 * @typedef {import('../context.js').Context} Context
 * @typedef {import('./update.js').MonitEvent} MonitEvent
 */

/** Faster than this no eye follows, and a burst of events is one frame. */
const FRAME_MS = 40;
const TICK_MS = 1000;
/**
 * @param {Context} context
 * @returns {Promise<number>} the exit code
 * @throws {import('../../errors/error.js').NodeclusterError} E_NO_TERMINAL, E_NO_APPS
 */
export async function runMonit(context) {
  const tty = needTerminal(context);
  await openForApps(context);
  return new Monit(context, tty).run();
}

class Monit {
  #context;
  #input;
  #screen;
  #state = firstState(Date.now());
  #ending = new AbortController();
  /** @type {(signal: import('../keyboard.js').Ending | null) => void} */
  #end = () => {};
  /** @type {(error: unknown) => void} */
  #fail = () => {};
  #drawnAt = -Infinity;
  /** @type {NodeJS.Timeout | undefined} */
  #drawing;
  #effects;
  #log;

  /**
   * @param {Context} context
   * @param {import('../terminal.js').Tty} tty
   */
  constructor(context, { input, output }) {
    this.#context = context;
    this.#input = input;
    this.#screen = new Screen(output, () => this.#drawSoon());
    const happened = (/** @type {MonitEvent} */ event) => this.#happened(event);
    this.#effects = new Effects(context, happened, () => this.#screen.size.columns);
    this.#log = new LogWatch(happened, this.#ending.signal);
  }

  /** @returns {Promise<number>} */
  async run() {
    const release = this.#takeTerminal();
    /** @type {import('../keyboard.js').Ending | null} */
    let signal;
    try {
      signal = await new Promise((resolve, reject) => {
        this.#end = resolve;
        this.#fail = reject;
        this.#watch().catch(reject);
      });
    } finally {
      this.#ending.abort();
      clearTimeout(this.#drawing);
      await release();
      this.#effects.sayWhatGoesOn();
    }
    return signal === null ? 0 : endBy(signal);
  }

  async #watch() {
    const listener = {
      frame: (/** @type {import('../feed.js').Frame} */ frame, /** @type {any} */ client) => {
        this.#effects.client = client;
        this.#happened({ kind: 'frame', ...frame });
      },
      lost: () => {
        this.#effects.client = null;
        this.#happened({ kind: 'lost' });
      },
    };
    await watchApps(this.#context.daemons, listener, this.#ending.signal);
  }

  /** @returns {() => Promise<void>} gives it back as it was */
  #takeTerminal() {
    const ticking = setInterval(() => this.#happened({ kind: 'tick' }), TICK_MS);
    const release = takeKeyboard(this.#input, {
      pressed: (text, key) => this.#happened({ kind: 'key', text, key }),
      ended: (signal) => this.#end(signal),
    });
    this.#screen.enter();
    return async () => {
      clearInterval(ticking);
      await this.#screen.leave();
      release();
    };
  }

  /** @param {MonitEvent} event */
  #happened(event) {
    if (this.#ending.signal.aborted) return;
    try {
      const surroundings = { now: Date.now(), rows: this.#screen.size.rows };
      const { state, effects } = update(this.#state, event, surroundings);
      this.#state = state;
      for (const effect of effects) this.#carryOut(effect);
      this.#log.follow(selectedRow(state)?.app ?? null, this.#effects.client);
      this.#drawSoon();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {import('./update.js').Effect} effect */
  #carryOut(effect) {
    if (effect.do === 'quit') this.#end(null);
    else if (effect.do === 'redraw') this.#screen.forget();
    else if (effect.do === 'describe') this.#effects.describe(effect.about);
    else this.#effects.ask(effect.question);
  }

  #drawSoon() {
    if (this.#ending.signal.aborted) return;
    clearTimeout(this.#drawing);
    const wait = Math.max(0, this.#drawnAt + FRAME_MS - performance.now());
    this.#drawing = setTimeout(() => this.#draw(), wait);
  }

  #draw() {
    this.#drawnAt = performance.now();
    const { env, stdout } = this.#context;
    const look = { ...this.#screen.size, colours: stdout.colours, isFine: hasBlocks(env) };
    try {
      this.#screen.draw(layout(this.#state, look, Date.now()));
    } catch (error) {
      this.#fail(error);
    }
  }
}
