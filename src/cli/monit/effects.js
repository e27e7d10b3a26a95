/** What `monit` asks of the daemon, and what it is told meanwhile. */
import { NodeclusterError } from '../../errors/error.js';
import { renderDescription } from '../render/describe/app.js';
import { renderOutcome } from '../render/outcome.js';
import { renderProgress } from '../render/progress.js';
import { wrapText } from '../render/wrap.js';

/**
 * @import { DaemonClient, DaemonMethods } from '../../protocol/methods.js'
 * @import { AppOutcome } from '../../protocol/shapes.js'
 * @import { NotificationListener } from '../../protocol/wire.js'
 * @import { Context } from '../context.js'
 * @import { Question } from './question.js'
 * @import { MonitEvent } from './update.js'
 */

const plain = { width: null, colours: false };

export class Effects {
  /** @type {DaemonClient | null} null while there is no daemon */
  client = null;
  #context;
  #tell;
  #width;
  #isDescribing = false;
  /** Commands that have not been answered yet. */
  #open = 0;

  /**
   * @param {Context} context
   * @param {(event: MonitEvent) => void} tell
   * @param {() => number} width of the terminal
   */
  constructor(context, tell, width) {
    this.#context = context;
    this.#tell = tell;
    this.#width = width;
  }

  /** @param {Question} question that was answered with yes */
  async ask({ method, params, about }) {
    if (!this.client) return this.#say(`${about}: there is no daemon to ask just now`, 'bad');
    this.#say(`${about}: ${method} …`, 'plain');
    this.#open += 1;
    try {
      /** @type {NotificationListener<DaemonMethods['apply']['notifications']>} */
      const onNotification = (kind, payload) => {
        if (kind === 'progress') this.#say(renderProgress(payload, plain));
      };
      const result = await this.client.request(method, params, { onNotification });
      this.#open -= 1;
      for (const outcome of result.apps) this.#sayOutcome(outcome);
    } catch (thrown) {
      // What the daemon has begun goes on without it.
      const { code, message } = NodeclusterError.from(thrown);
      if (code !== 'E_PROTOCOL_CLOSED') this.#open -= 1;
      this.#say(message, 'bad');
    }
  }

  /** @param {string} about name of an app */
  async describe(about) {
    if (!this.client || this.#isDescribing) return;
    this.#isDescribing = true;
    try {
      const selectors = [about];
      const { apps } = await this.client.request('describe', { selectors, telemetry: true });
      const width = this.#width();
      const terminal = { width, colours: this.#context.stdout.colours };
      const text = wrapText(renderDescription(apps, terminal, Date.now()), width);
      this.#tell({ kind: 'described', about, lines: text.split('\n') });
    } catch (thrown) {
      const { code, message } = NodeclusterError.from(thrown);
      // Its description would be that of an app which is there no more.
      if (code === 'E_APP_UNKNOWN') this.#tell({ kind: 'described', about, lines: [message] });
      else this.#say(message, 'bad');
    } finally {
      this.#isDescribing = false;
    }
  }

  /** When the screen is left. */
  sayWhatGoesOn() {
    if (this.#open === 0) return;
    this.#context.note('What was asked for goes on; `nodecluster ls` shows how far it is.');
  }

  /** @param {AppOutcome} outcome */
  #sayOutcome(outcome) {
    const [first, ...more] = renderOutcome(outcome, plain).split('\n');
    const text = [first, ...more.slice(0, 1).map((line) => line.trim())].join(' ');
    this.#say(text, outcome.ok ? 'good' : 'bad');
  }

  /**
   * @param {string} text
   * @param {'plain' | 'good' | 'bad'} [tone]
   */
  #say(text, tone = 'plain') {
    this.#tell({ kind: 'told', text, tone });
  }
}
