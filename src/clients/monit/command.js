/** The command `monit`: connects the keyboard, the daemon, the log and the screen to the state. */
import { watchApps } from '../../api/feed.js';
import { FullScreen, requireTerminal, supportsUnicode } from '../../show/terminal/full-screen.js';
import { endBy } from '../../show/terminal/keyboard.js';
import { homePaths } from '../../shared/home.js';
import { Effects } from './effects.js';
import { layout } from './layout.js';
import { LogWatch } from './log-watch.js';
import { firstState } from './state.js';
import { update } from './update.js';

/**
 * @import { CommandData } from '../../cli/command.js'
 * @import { NodeclusterError } from '../../errors/error.js'
 * @import { Frame } from '../../api/feed.js'
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { Context } from '../../cli/context.js'
 * @import { EndSignal } from '../../show/terminal/keyboard.js'
 * @import { Tty } from '../../show/terminal/full-screen.js'
 * @import { Effect, MonitEvent } from './update.js'
 */

/** @type {CommandData} */
export const command = {
  summary: 'watch and control all workers live on the full screen',
  details:
    'Shows the workers with their resource use and their own measurements, and the log of the ' +
    'selected one. `?` shows the keys. Workers measure only while a client watches.',
  arguments: [],
  options: [],
  examples: ['nodecluster monit'],
};

/** A burst of events becomes one frame. */
const FRAME_MS = 40;
const TICK_MS = 1000;

/**
 * @param {Context} context
 * @returns {Promise<number>} the exit code
 * @throws {NodeclusterError} E_NO_TERMINAL, E_NO_APPS
 */
export async function run(context) {
  const tty = requireTerminal(context);
  await context.openForApps();
  return new Monit(context, tty).run();
}

class Monit {
  #context;
  #screen;
  #state = firstState(Date.now());
  #ending = new AbortController();
  /** @type {(signal: EndSignal | null) => void} */
  #end = () => {};
  /** @type {(error: unknown) => void} */
  #fail = () => {};
  #lastDrawMs = -Infinity;
  /** @type {NodeJS.Timeout | undefined} */
  #drawTimer;
  #effects;
  #log;

  /**
   * @param {Context} context
   * @param {Tty} tty
   */
  constructor(context, tty) {
    this.#context = context;
    this.#screen = new FullScreen(tty, {
      onKey: (text, key) => this.#onEvent({ kind: 'key', text, key }),
      onEnd: (signal) => this.#end(signal),
      onBlank: () => this.#scheduleDraw(),
    });
    const emit = (/** @type {MonitEvent} */ event) => this.#onEvent(event);
    this.#effects = new Effects(context, emit, () => this.#screen.size.columns);
    const { daemonLog } = homePaths(context.daemons.home);
    this.#log = new LogWatch(emit, this.#ending.signal, daemonLog);
  }

  async run() {
    const ticker = setInterval(() => this.#onEvent({ kind: 'tick' }), TICK_MS);
    this.#screen.take();
    /** @type {EndSignal | null} */
    let signal;
    try {
      signal = await new Promise((resolve, reject) => {
        this.#end = resolve;
        this.#fail = reject;
        this.#watch().catch(reject);
      });
    } finally {
      this.#ending.abort();
      clearInterval(ticker);
      clearTimeout(this.#drawTimer);
      await this.#screen.release();
      this.#effects.notePendingCommands();
    }
    return signal === null ? 0 : endBy(signal);
  }

  async #watch() {
    const listener = {
      onFrame: (/** @type {Frame} */ frame, /** @type {DaemonClient} */ client) => {
        this.#effects.client = client;
        this.#onEvent({ kind: 'frame', ...frame });
      },
      onLost: () => {
        this.#effects.client = null;
        this.#onEvent({ kind: 'lost' });
      },
    };
    await watchApps(this.#context.daemons, listener, this.#ending.signal);
  }

  /** @param {MonitEvent} event */
  #onEvent(event) {
    if (this.#ending.signal.aborted) return;
    try {
      const surroundings = { now: Date.now(), ...this.#screen.size };
      const { state, effects } = update(this.#state, event, surroundings);
      this.#state = state;
      for (const effect of effects) this.#perform(effect);
      this.#log.follow(state, this.#effects.client);
      this.#scheduleDraw();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {Effect} effect */
  #perform(effect) {
    if (effect.do === 'quit') this.#end(null);
    else if (effect.do === 'redraw') this.#screen.invalidate();
    else if (effect.do === 'describe') this.#effects.describe(effect.app);
    else this.#effects.send(effect.confirmation);
  }

  #scheduleDraw() {
    if (this.#ending.signal.aborted) return;
    clearTimeout(this.#drawTimer);
    const delay = Math.max(0, this.#lastDrawMs + FRAME_MS - performance.now());
    this.#drawTimer = setTimeout(() => this.#draw(), delay);
  }

  #draw() {
    this.#lastDrawMs = performance.now();
    const { env, stdout } = this.#context;
    const look = {
      ...this.#screen.size,
      colours: stdout.colours,
      supportsUnicode: supportsUnicode(env),
    };
    try {
      this.#screen.draw(layout(this.#state, look, Date.now()));
    } catch (error) {
      this.#fail(error);
    }
  }
}
