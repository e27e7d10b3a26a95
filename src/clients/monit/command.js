/** The command `monit`: connects the keyboard, the daemon, the log and the screen to the state. */
import { watchApps } from '../../api/feed.js';
import { wrapText } from '../../show/terminal/palette.js';
import { endBy, FullScreen, requireTerminal } from './full-screen.js';
import { layout } from './layout.js';
import { LogWatch } from './log-watch.js';
import { firstState } from './state.js';
import { update } from './update.js';
import { NodeclusterError } from '../../errors/error.js';
import { requestFor } from '../confirmation.js';
import { renderOutcome } from '../../show/outcome.js';
import { renderProgress } from '../../show/progress.js';
import { PAST_FIELDS } from '../../show/past.js';

/**
 * @import { CommandData } from '../../cli/command.js'
 * @import { DaemonClient } from '../../protocol/methods.js'
 * @import { Context } from '../../cli/context.js'
 * @import { EndSignal, Tty } from './full-screen.js'
 * @import { PageCommand } from './state.js'
 * @import { MonitEvent } from './update.js'
 * @import { Confirmation } from '../confirmation.js'
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
 * @throws {NodeclusterError} E_NO_TERMINAL, E_NO_APPS
 */
export async function run(context) {
  const tty = requireTerminal(context);
  await context.openForApps();
  return new Monit(context, tty).run();
}

export class Monit {
  /** @type {DaemonClient | null} null while no daemon is running */
  client = null;
  state = firstState(Date.now());
  #context;
  #screen;
  #ending = new AbortController();
  /** @type {(signal: EndSignal | null) => void} */
  #end = () => {};
  /** @type {(error: unknown) => void} */
  #fail = () => {};
  /** @type {NodeJS.Timeout | undefined} */
  #drawTimer;
  /** @type {PageCommand | null} */
  #shown = null;
  #hasPast = false;
  #log = new LogWatch((event) => this.onEvent(event), this.#ending.signal);

  /** @param {Context} context @param {Tty} tty */
  constructor(context, tty) {
    this.#context = context;
    this.#screen = new FullScreen(tty, {
      onKey: (text, key) => this.onEvent({ kind: 'key', text, key }),
      onEnd: (signal) => this.#end(signal),
      onBlank: () => this.#scheduleDraw(),
    });
  }

  async run() {
    const ticker = setInterval(() => this.onEvent({ kind: 'tick' }), TICK_MS);
    /** @type {Parameters<typeof watchApps>[1]} */
    const listener = {
      onFrame: (frame, client) => {
        this.client = client;
        this.onEvent({ kind: 'frame', ...frame });
        if (!this.#hasPast) this.#fetchPast(client);
      },
      onLost: () => {
        this.client = null;
        this.onEvent({ kind: 'lost' });
      },
    };
    this.#screen.take();
    /** @type {EndSignal | null} */
    let signal;
    try {
      signal = await new Promise((resolve, reject) => {
        this.#end = resolve;
        this.#fail = reject;
        watchApps(this.#context.daemons, listener, this.#ending.signal).catch(reject);
      });
    } finally {
      this.#ending.abort();
      clearInterval(ticker);
      clearTimeout(this.#drawTimer);
      await this.#screen.release();
    }
    return signal === null ? 0 : endBy(signal);
  }

  /** @param {MonitEvent} event */
  onEvent(event) {
    if (this.#ending.signal.aborted) return;
    try {
      const surroundings = { now: Date.now(), ...this.#screen.size };
      const { state, effects } = update(this.state, event, surroundings);
      this.state = state;
      for (const effect of effects) {
        if (effect.do === 'quit') this.#end(null);
        else if (effect.do === 'redraw') this.#screen.invalidate();
        else if (effect.do === 'show') this.#show(effect.command);
        else this.#send(effect.confirmation);
      }
      this.#log.follow(state, this.client);
      this.#scheduleDraw();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {DaemonClient} client */
  async #fetchPast(client) {
    this.#hasPast = true;
    const listed = await client.request('list', { fields: PAST_FIELDS }).catch(() => null);
    if (listed) this.onEvent({ kind: 'past', apps: listed.apps });
  }

  #scheduleDraw() {
    if (this.#ending.signal.aborted) return;
    this.#drawTimer ??= setTimeout(() => this.#draw(), FRAME_MS);
  }

  #draw() {
    this.#drawTimer = undefined;
    const look = { ...this.#screen.size, colours: this.#context.stdout.colours };
    try {
      this.#screen.draw(layout(this.state, look, Date.now()));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {Confirmation} confirmed */
  async #send(confirmed) {
    const { target } = confirmed;
    const { method, params } = requestFor(confirmed);
    if (!this.client) return this.#say(`${target}: the daemon is not running`, 'bad');
    this.#say(`${target}: ${method} …`);
    try {
      const { apps } = await this.client.request(method, params, {
        onNotification: (kind, step) => {
          if (kind === 'progress') this.#say(renderProgress(step));
        },
      });
      for (const outcome of apps) {
        const [first, second = ''] = renderOutcome(outcome).split('\n');
        this.#say(`${first} ${second.trim()}`.trimEnd(), outcome.ok ? 'good' : 'bad');
      }
    } catch (thrown) {
      this.#say(NodeclusterError.from(thrown).message, 'bad');
    }
  }

  /** Its output becomes the page that is open. @param {PageCommand} command */
  async #show(command) {
    const { client } = this;
    if (!client || this.#shown === command) return;
    this.#shown = command;
    const [name, target] = command;
    const { columns: width } = this.#screen.size;
    const output = (/** @type {string} */ text) =>
      this.onEvent({ kind: 'output', command, lines: wrapText(text, width).split('\n') });
    try {
      const io = {
        // The command would start a daemon.
        openForApps: async () => client,
        stdout: { width, colours: this.#context.stdout.colours },
        print: output,
      };
      await this.#context.runCommand(name, { words: [target] }, io);
    } catch (thrown) {
      output(NodeclusterError.from(thrown).message);
    } finally {
      if (this.#shown === command) this.#shown = null;
    }
  }

  /** @param {string} text @param {'plain' | 'good' | 'bad'} [tone] */
  #say(text, tone = 'plain') {
    this.onEvent({ kind: 'message', text, tone });
  }
}
